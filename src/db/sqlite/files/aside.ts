import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncPath } from "./note.ts";

/**
 * Makes a file under another name, and gives it its own name once all of it is on the disk. So a file of that name is
 * always whole, whatever ends the program or fills the disk. `make` gets the path to write to, of an empty file.
 */
export const makeAside = (file: string, make: (partial: string) => void): void => {
  const partial = `${file}.partial`;
  try {
    remove(partial);
    // Empty and private before anything is written: nobody can have put a link or an open file in its place.
    closeSync(openSync(partial, "wx", 0o600));
    make(partial);
    syncPath(partial);
    renameSync(partial, file);
    syncPath(dirname(file));
  } catch (error) {
    // A full disk needs the space back. If even that fails, the first error is the one to report.
    try {
      remove(partial);
    } catch {}
    throw error;
  }
};

/** With the journal that SQLite keeps while it writes to it. */
const remove = (partial: string): void => {
  for (const suffix of ["", "-journal"]) rmSync(partial + suffix, { force: true });
};

/** The directory for copies of the data. Its name is on the disk when this returns, as the copies in it will be. */
export const backupsIn = (directory: string): string => {
  const backups = join(directory, "backups");
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  syncPath(directory);
  return backups;
};

/** What a restore writes before it replaces the data. */
export const RESTORING = "docket.db.restoring";

/**
 * Removes what a start or a restore left half-made when it was killed. Call it with the directory's lock, under which
 * both work. What `docket backup` is writing at the moment is not touched.
 */
export const removeLeftovers = (directory: string): void => {
  const backups = join(directory, "backups");
  const leftovers = [
    ...namesIn(directory, /^docket\.db\.restoring(?:$|[.-])/),
    ...namesIn(backups, /^before-(?:migration|restore)-.*\.partial(?:-journal)?$/),
  ];
  for (const file of leftovers) rmSync(file, { force: true });
};

const namesIn = (directory: string, which: RegExp): readonly string[] => {
  try {
    const names = readdirSync(directory).filter((name) => which.test(name));
    return names.map((name) => join(directory, name));
  } catch {
    return [];
  }
};
