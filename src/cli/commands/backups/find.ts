import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { directoriesOf, findCopy, type Placed, placedIn } from "../../../db/copies.ts";
import type { Contents } from "../../../db/sqlite/files/copy.ts";
import { hasFile } from "../../../db/sqlite/files/unusable.ts";
import { formatInstant } from "../../../domain/base/instant.ts";
import { UsageError } from "../../../domain/base/usage.ts";
import type { Run } from "../../command.ts";
import { DASHED_FILE } from "../../parse.ts";
import { counted } from "../../terminal.ts";

// Which backup is meant, and what is in it.

export const refusePostgres = ({ config }: Run): void => {
  if (config.database === null) return;
  throw new UsageError(
    "The data are in PostgreSQL, which is backed up and restored with its own programs, such as pg_dump. After a restore, run `docket restored`.",
  );
};

/** The copies that the server has made by itself, newest first. */
export const ownCopies = (run: Run): readonly Placed[] => placedIn(placesOf(run));

export const placesOf = ({ config: { data, backups } }: Run): readonly string[] => {
  // Those that this user may not see are refused: they are not none.
  hasFile(join(data, "docket.db"));
  return directoriesOf(data, backups);
};

/** A file, or one of the server's own copies by its name or a time. */
export const backupAt = (run: Run, word: string): string => {
  const path = pathOf(word);
  if (existsSync(path)) return path;
  const copy = findCopy(ownCopies(run), word);
  return copy === null ? path : join(copy.directory, copy.name);
};

/** A path that begins with a dash is nearly always a mistyped option. */
export const pathOf = (word: string): string => {
  if (word.startsWith("-")) throw new UsageError(`"${word}" looks like an option. ${DASHED_FILE}`);
  return resolve(word);
};

/** What is in a backup, for people: "1 account, 2 tasks, newest change ...". */
export const contentsText = (contents: Contents | "unreadable"): string => {
  if (contents === "unreadable") return "cannot be counted";
  const { accounts, tasks, changedAt } = contents;
  const newest = changedAt === null ? "no change yet" : `newest change ${formatInstant(changedAt)}`;
  return `${counted(accounts, "account")}, ${counted(tasks, "task")}, ${newest}`;
};
