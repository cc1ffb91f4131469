import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isLow, megabytes } from "../../domain/base/disk-space.ts";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { isLate, LATE, newestDaily } from "../../domain/backups/kept.ts";
import { copiesIn } from "../../db/copies.ts";
import { readSpace } from "../../db/disk-space.ts";
import { UnusableDatabase } from "../../db/unusable.ts";
import { openFile } from "../../db/sqlite/files/copy.ts";
import { wasDamaged } from "../../db/sqlite/files/clean-stop.ts";
import { hasFile, whyUnusable } from "../../db/sqlite/files/unusable.ts";
import { checkData, findDamage } from "../../db/sqlite/files/soundness.ts";
import { canReadIndex, indexFile } from "../../db/sqlite/search/index-file.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

const RESTORE =
  "Stop the server. `docket backups list` names the copies, and `docket restore NAME` puts one back.";

/** Looks at the files in the data directory. Changes nothing, and works beside a server. */
export const lookAtFiles = (directory: string, backups: string | null, now: Instant) => {
  const file = join(directory, "docket.db");
  try {
    if (!hasFile(file))
      return [
        problem(
          "data",
          `There are no data in ${directory}.`,
          "Name the directory of your server with --data. For new data, start the server there.",
        ),
      ];
  } catch (error) {
    return [unusable("data", error)];
  }
  return [
    accessOf(directory),
    databaseIn(directory),
    logOf(file),
    spaceOf(directory),
    indexOf(directory),
    copiesOf(directory, backups, now),
  ];
};

const accessOf = (directory: string): Finding => {
  const about = "access";
  const open = [directory, join(directory, "docket.db")].find(
    (path) => (statSync(path).mode & 0o077) !== 0,
  );
  if (open !== undefined)
    return problem(
      about,
      `Other users of this machine may read ${open}.`,
      `chmod ${open === directory ? "700" : "600"} ${open}`,
    );
  try {
    accessSync(directory, constants.W_OK);
    accessSync(join(directory, "docket.db"), constants.W_OK);
  } catch {
    return problem(
      about,
      `This user may not write in ${directory}.`,
      "Give the directory and its files to the user that runs the server: chown -R USER DIRECTORY.",
    );
  }
  return ok(about, `Only this user reads and writes ${directory}.`);
};

/** Reads all of the database, as a start after a crash does. */
const databaseIn = (directory: string): Finding => {
  const about = "database";
  try {
    checkData({ directory, role: "visitor" });
    const damage = findDamage(directory);
    if (damage !== null) return problem(about, `The database is ${damage}.`, RESTORE);
    openFile(join(directory, "docket.db")).close();
  } catch (error) {
    return unusable(about, whyUnusable(error, directory));
  }
  if (wasDamaged(directory))
    return problem(
      about,
      "A server found damage in these data while it worked on them, but none is found now.",
      `Look at the disk and at the system's log. To be safe, go back to a copy: ${RESTORE}`,
    );
  return ok(about, "Every page of the database is sound.");
};

const unusable = (about: string, error: unknown): Finding =>
  error instanceof UnusableDatabase
    ? problem(about, error.message, "Do what this says, then run `docket doctor` again.")
    : problem(
        about,
        `The database cannot be read (${String(error)}).`,
        "Look at the disk and at the system's log, then run `docket doctor` again.",
      );

/** In bytes. A server keeps its log below half of this. */
const LARGE_LOG = 64 * 1024 * 1024;

const logOf = (file: string): Finding => {
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LARGE_LOG) return ok("log", `The database's log takes ${megabytes(size)} MB.`);
  return problem(
    "log",
    `The database's log takes ${megabytes(size)} MB: another program has docket.db open, or no server has run since.`,
    "Stop programs that read docket.db (lsof docket.db names them), or start the server once.",
  );
};

const spaceOf = (directory: string): Finding => {
  const space = readSpace(directory);
  if (space === null) return ok("space", "The system does not say how much space is free.");
  const free = `${megabytes(space.free)} MB of ${megabytes(space.total)} MB are free in ${directory}.`;
  return isLow(space)
    ? problem("space", free, "Free some space before writes fail.")
    : ok("space", free);
};

const indexOf = (directory: string): Finding => {
  const file = indexFile(directory);
  if (!existsSync(file))
    return ok("search", "There is no search index yet: the first search makes it.");
  if (canReadIndex(file)) return ok("search", "The search index is sound.");
  return problem(
    "search",
    "The search index is damaged.",
    `Stop the server and delete ${file}. Docket makes it again from the tasks.`,
  );
};

const copiesOf = (directory: string, backups: string | null, now: Instant): Finding => {
  const about = "backups";
  if (backups === null)
    return note(
      about,
      "The server makes no copies (--backups off).",
      "Make them with `docket backup FILE`, or leave the setting out.",
    );
  const last = newestDaily(copiesIn(backups));
  const mend =
    "Read the server's log for the reason (docket backups, warn), and see that it runs, and may write there.";
  if (last !== undefined && !isLate(last, now))
    return ok(about, `The last copy was made ${formatInstant(last.at)}, in ${backups}.`);
  if (last !== undefined)
    return problem(about, `The last copy was made ${formatInstant(last.at)}, in ${backups}.`, mend);
  const age = now - statSync(join(directory, "docket.db")).birthtimeMs;
  if (age <= LATE) return ok(about, "The data are new. The server copies them within a day.");
  return problem(about, `There is no daily copy in ${backups}.`, mend);
};
