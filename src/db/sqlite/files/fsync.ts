import { closeSync, fsyncSync, openSync } from "node:fs";

/** What was done to a file, or to the names in a directory, is on the disk when this returns. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
};
