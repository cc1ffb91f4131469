/** What a file system holds, in bytes. */
export type Space = { readonly free: number; readonly total: number };

const MEGABYTE = 1024 * 1024;

/** Whether there is so little room left that its owner should know: below 5 %, or 256 MB. */
export const isLow = ({ free, total }: Space): boolean =>
  free < Math.max(total / 20, 256 * MEGABYTE);

/** Whether the next writes would not fit: small ones may still, in room that the files have already. */
export const isUsedUp = ({ free }: Space): boolean => free < MEGABYTE;

export const megabytes = (bytes: number): number => Math.round(bytes / MEGABYTE);
