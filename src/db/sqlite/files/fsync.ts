import { closeSync, fsyncSync, openSync } from "node:fs";

/** When this returns, all changes to the file, or to the names in the directory, are on the disk. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
};
