import { closeSync, fsyncSync, openSync } from "node:fs";

/** Syncs a file, or the names in a directory. Changes are on the disk once this returns. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
};
