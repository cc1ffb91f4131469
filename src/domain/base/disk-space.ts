/** The size of a file system and its free space, in bytes. */
export type Space = { readonly free: number; readonly total: number };

const MEGABYTE = 1024 * 1024;

/** Whether space is so short that the owner should know: less than 5 % or 256 MB free. */
export const isLow = ({ free, total }: Space): boolean =>
  free < Math.max(total / 20, 256 * MEGABYTE);

/**
 * Whether the next writes would not fit. Small ones may still succeed in space that the files
 * already occupy.
 */
export const isUsedUp = ({ free }: Space): boolean => free < MEGABYTE;

/** Converts bytes to whole megabytes (1024 × 1024 bytes), rounded. */
export const megabytes = (bytes: number): number => Math.round(bytes / MEGABYTE);
