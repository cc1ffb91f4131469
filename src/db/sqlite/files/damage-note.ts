import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "./fsync.ts";
import { writeNote } from "./note.ts";

/** The note that a server leaves when it found its data damaged while it worked on them. */
const noteIn = (directory: string): string => join(directory, "docket.damaged");

/** Notes the damage, in words, so that no later start writes to these data before it has checked them. */
export const noteDamage = (directory: string, damage: string): void => {
  try {
    writeNote(noteIn(directory), `${damage}\n`);
    syncPath(directory);
  } catch {
    // The disk takes nothing. The next start then checks while it works, as this one did.
  }
};

/** Whether a server has noted damage since the data were last found sound. */
export const wasDamaged = (directory: string): boolean => existsSync(noteIn(directory));

/** Removes the note: the data are sound, since a backup is in their place. */
export const forgetDamage = (directory: string): void => rmSync(noteIn(directory), { force: true });
