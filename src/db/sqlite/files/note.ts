import { rmSync, writeFileSync } from "node:fs";

/** Writes a small file of the data directory, for its owner alone. Writing to an old one would follow a link to another file. */
export const writeNote = (file: string, text: string): void => {
  rmSync(file, { force: true });
  writeFileSync(file, text, { flag: "wx", mode: 0o600 });
};
