import type { Instant } from "./instant.ts";

/**
 * A revision names one version of a record: by the stamp of the transaction that stored it, and by the epoch of the data,
 * which changes with every restore. To clients it is a text that means nothing.
 */
export type Rev = { readonly stamp: Instant; readonly mark: string };

/** Returns what stands for an epoch in revisions: its last 12 digits, which are random. */
export const markOf = (epoch: string): string => epoch.slice(-12);

/** Returns the revision of a version as clients get it. `mark` is that of the epoch. */
export const revText = (stamp: Instant, mark: string): string => `${stamp.toString(36)}-${mark}`;

/** Adds the revision of a version to its row, which is JSON text. */
export const withRev = (row: string, stamp: Instant, mark: string): string =>
  `${row.slice(0, -1)},"rev":"${revText(stamp, mark)}"}`;

const REV = /^([0-9a-z]{1,12})-([0-9a-f]{12})$/;

/** Reads a revision; null if it is none. */
export const parseRev = (text: string): Rev | null => {
  const [, stamp, mark] = REV.exec(text) ?? [];
  return stamp === undefined || mark === undefined ? null : { stamp: parseInt(stamp, 36), mark };
};
