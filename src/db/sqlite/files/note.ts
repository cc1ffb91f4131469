import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";

/** Writes a small file of the data directory, for its owner alone. Writing to an old one would follow a link to another file. */
export const writeNote = (file: string, text: string): void => {
  rmSync(file, { force: true });
  writeFileSync(file, text, { flag: "wx", mode: 0o600 });
};

/** Syncs a file, or the names in a directory. Changes are on the disk once this returns. */
export const syncPath = (path: string): void => {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
};
