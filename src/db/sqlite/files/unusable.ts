import { UnusableDatabase } from "../../unusable.ts";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDamaged, sqliteCode } from "../faults.ts";

/** Turns an error on opening the data directory into words for its owner. Returns a bug unchanged. */
export const whyUnusable = (error: unknown, directory: string): unknown => {
  const code = sqliteCode(error) || systemCode(error);
  if (isDamaged(error)) return damaged(directory, "damaged or not a database");
  if (/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/.test(code))
    return new UnusableDatabase(
      `The disk is full, so Docket cannot write in ${directory}. Free some space there, and try again.`,
    );
  if (/^(SQLITE_(READONLY|CANTOPEN|PERM)|EROFS|EACCES|EPERM)/.test(code))
    return new UnusableDatabase(
      `The directory ${directory} is not writable (${code}). Its disk is read-only, or it belongs to another user. ` +
        "Nothing was changed. Make it writable, run the command as that user, or choose another directory.",
    );
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return locked(join(directory, "docket.db"));
  if (code.startsWith("SQLITE_IOERR") || code === "EIO")
    return new UnusableDatabase(
      `The disk with ${directory} failed (${code}). Check the disk and the system log before you start again.`,
    );
  return error;
};

const locked = (file: string): UnusableDatabase =>
  new UnusableDatabase(
    `Another program keeps ${file} locked. Try again. If that does not help, find it (lsof ${file}) and end it.`,
  );

/** Whether a file is there. Refuses one that this user may not read: that is not the same as none. */
export const hasFile = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch (error) {
    const code = systemCode(error);
    if (/^(ENOENT|ENOTDIR)$/.test(code)) return false;
    if (!/^(EACCES|EPERM)$/.test(code)) throw error;
    throw new UnusableDatabase(
      `This user may not read ${file} (${code}). Run the command as the user to whom it belongs, or as root.`,
    );
  }
};

const systemCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** The error for data that differ from what was written. `what` names the damage. */
export const damaged = (directory: string, what: string): UnusableDatabase =>
  new UnusableDatabase(
    `${join(directory, "docket.db")} is ${what}. Nothing was changed. Replace it with a backup: ` +
      `docket restore ${latestBackup(directory) ?? "FILE"}`,
  );

/** The same for damage that is found while a server works already. */
export const foundDamaged = (directory: string, what: string): UnusableDatabase =>
  new UnusableDatabase(
    `${join(directory, "docket.db")} is ${what}. The server stopped. Replace it with a backup: ` +
      `docket restore ${latestBackup(directory) ?? "FILE"}`,
  );

/** The error for a log that lost pages in its middle. The data before that point are still usable. */
export const lostLog = (directory: string): UnusableDatabase =>
  new UnusableDatabase(
    `${join(directory, "docket.db-wal")} is damaged and has lost changes that were confirmed. Nothing was changed. ` +
      `To continue without them, run \`docket restore ${join(directory, "docket.db")}\`. ` +
      `To go back to a backup, run \`docket restore ${latestBackup(directory) ?? "FILE"}\`.`,
  );

/** The newest backup made here. Copies that a restore set aside do not count. */
const latestBackup = (directory: string): string | null => {
  const backups = join(directory, "backups");
  const copies = names(backups)
    .filter((name) => name.endsWith(".db") && !name.startsWith("before-restore-"))
    .map((name) => ({ file: join(backups, name), at: statSync(join(backups, name)).mtimeMs }));
  return copies.toSorted((a, b) => b.at - a.at)[0]?.file ?? null;
};

const names = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};
