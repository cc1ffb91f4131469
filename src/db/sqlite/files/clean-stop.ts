import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncPath, writeNote } from "./note.ts";

/** The note that a server leaves when it has stopped cleanly: what its checked data looked like then. */
const noteIn = (directory: string): string => join(directory, "docket.stopped");

/** Notes that the data are closed, checked and complete. Call it with the directory's lock, after closing them. */
export const noteCleanStop = (directory: string): void => {
  const looks = looksOf(directory);
  if (looks !== null) writeNote(noteIn(directory), looks);
};

/** Whether the last server stopped cleanly, and nothing has touched the data since. */
export const wasStoppedCleanly = (directory: string): boolean => {
  try {
    const looks = looksOf(directory);
    return looks !== null && looks === readFileSync(noteIn(directory), "utf8");
  } catch {
    return false;
  }
};

/** Removes the note. Call it before anything is written. */
export const forgetCleanStop = (directory: string): void => {
  try {
    rmSync(noteIn(directory));
    syncPath(directory);
  } catch {
    // There was none, or it cannot be removed: then nothing can be written either, and what is written changes its looks.
  }
};

/** The file's identity, size and times; null while there is a log, whose changes the file lacks. */
const looksOf = (directory: string): string | null => {
  const file = join(directory, "docket.db");
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (log > 0 || !stat) return null;
  return [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(" ");
};

/** The note that a server leaves when it found its data damaged while it worked on them. */
const damageNoteIn = (directory: string): string => join(directory, "docket.damaged");

/** Notes the damage, in words, so that no later start writes to these data before it has checked them. */
export const noteDamage = (directory: string, damage: string): void => {
  try {
    writeNote(damageNoteIn(directory), `${damage}\n`);
    syncPath(directory);
  } catch {
    // The disk takes nothing. The next start then checks while it works, as this one did.
  }
};

/** Whether a server has noted damage since the data were last found sound. */
export const wasDamaged = (directory: string): boolean => existsSync(damageNoteIn(directory));

/** Removes the note: the data are sound, since a backup is in their place. */
export const forgetDamage = (directory: string): void =>
  rmSync(damageNoteIn(directory), { force: true });
