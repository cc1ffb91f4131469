import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import {
  previewRestore,
  type Replacement,
  restoreBackup,
  type Restored,
  writeBackup,
} from "../../db/sqlite/files/backup.ts";
import { newestDaily } from "../../domain/backups/kept.ts";
import { directoriesOf, findCopy, type Placed, placedIn, pruneCopies } from "../../db/copies.ts";
import { verifyBackup } from "../../db/sqlite/files/copy.ts";
import { hasFile } from "../../db/sqlite/files/unusable.ts";
import { syncPath } from "../../db/sqlite/files/note.ts";
import { drillBackup } from "../../db/sqlite/files/drill.ts";
import { UnusableDatabase } from "../../db/unusable.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { cutText, printableJson } from "../../domain/base/text.ts";
import { UsageError } from "../../domain/base/usage.ts";
import type { Command, Run } from "../command.ts";
import { DASHED_FILE } from "../parse.ts";
import { printList } from "../terminal.ts";

const backup: Command = {
  name: "backup",
  usage: "[FILE]",
  about: "copy the data to a file, even while the server runs",
  flags: {},
  words: [0, 1],
  run: async (run) => {
    refusePostgres(run);
    const stamp = formatInstant(run.now()).replaceAll(/[:.]/g, "-");
    const file = pathOf(run.words[0] ?? `docket-${stamp}.db`);
    const leftOut = writeBackup(run.config.data, file);
    run.say("Wrote a complete backup, and checked it as a restore does:");
    run.print(file);
    sayLeftOut(run, leftOut);
    return 0;
  },
};

const restore: Command = {
  name: "restore",
  usage: "FILE|NAME|TIME [--yes] [--backups DIR]",
  about:
    "replace the data with a backup: a file, one of `docket backups list`, or the newest at a time; stop the server first. Asks before it does, unless you give --yes",
  flags: { backups: true, yes: false },
  words: [1, 1],
  run: async (run) => {
    refusePostgres(run);
    const { data: directory } = run.config;
    const file = backupAt(run, run.words[0] ?? "");
    if (!run.has("yes") && !run.canAsk())
      throw new UsageError(
        `A restore replaces the data in ${directory}, and there is no terminal to ask you on. Nothing was changed. ` +
          "To restore anyway, add --yes.",
      );
    for (const line of linesOf(directory, file, previewRestore(directory, file))) run.say(line);
    if (!run.has("yes") && (await run.ask('Type "yes" to continue: ')).trim() !== "yes") {
      run.say("Nothing was changed.");
      return 1;
    }
    sayRestored(run, await restoreBackup(directory, file, run.now()));
    return 0;
  },
};

const refusePostgres = ({ config }: Run): void => {
  if (config.database === null) return;
  throw new UsageError(
    "The data are in PostgreSQL, which is backed up and restored with its own programs, such as pg_dump. After a restore, run `docket restored`.",
  );
};

const NO_COPIES = "There are no copies yet. A server makes one every day.";

/** The copies that the server has made by itself, newest first. */
const ownCopies = (run: Run): readonly Placed[] => placedIn(placesOf(run));

const placesOf = ({ config: { data, backups } }: Run): readonly string[] => {
  // Those that this user may not see are refused: they are not none.
  hasFile(join(data, "docket.db"));
  return directoriesOf(data, backups);
};

/** A file, or one of the server's own copies by its name or a time. */
const backupAt = (run: Run, word: string): string => {
  const path = pathOf(word);
  if (existsSync(path)) return path;
  const copy = findCopy(ownCopies(run), word);
  return copy === null ? path : join(copy.directory, copy.name);
};

const list: Command = {
  name: "backups list",
  usage: "[--json] [--backups DIR]",
  about: "list the copies that the server has made of its data by itself",
  flags: { backups: true, json: false },
  words: [0, 0],
  run: async (run) => {
    refusePostgres(run);
    const rows = ownCopies(run).map(({ name, kind, at, bytes, directory }) => ({
      name,
      made: formatInstant(at),
      because: kind === "daily" ? "daily" : kind.replace("-", " a "),
      bytes,
      directory,
    }));
    printList(run, rows, NO_COPIES);
    return 0;
  },
};

const verify: Command = {
  name: "backups verify",
  usage: "[FILE|NAME|TIME] [--backups DIR]",
  about:
    "check one of these copies, or all of them, as a restore does; exits with 1 if one cannot be restored",
  flags: { backups: true },
  words: [0, 1],
  run: async (run) => {
    refusePostgres(run);
    const [word] = run.words;
    const files =
      word === undefined
        ? ownCopies(run).map(({ directory, name }) => join(directory, name))
        : [backupAt(run, word)];
    let isSound = true;
    for (const file of files)
      try {
        run.print(`${basename(file)}: sound, ${inWords(verifyBackup(file))}`);
      } catch (error) {
        if (!(error instanceof UnusableDatabase)) throw error;
        isSound = false;
        run.print(`${basename(file)}: ${error.message}`);
      }
    if (files.length === 0) run.say(NO_COPIES);
    return isSound ? 0 : 1;
  },
};

const prune: Command = {
  name: "backups prune",
  usage: "[--backups DIR]",
  about:
    "remove the copies that are not kept: all but those of 7 days, 4 weeks and 12 months, and those for which there is no room",
  flags: { backups: true },
  words: [0, 0],
  run: async (run) => {
    refusePostgres(run);
    const removed = placesOf(run).flatMap((directory) => pruneCopies(directory));
    for (const { name } of removed) run.print(name);
    run.say(
      removed.length === 0
        ? "Nothing was removed."
        : `Removed ${counted(removed.length, "copy", "copies")}.`,
    );
    return 0;
  },
};

const fetchCommand: Command = {
  name: "backups fetch",
  usage: "[NAME|TIME] [--backups DIR]",
  about:
    "bring a copy back from the bucket (--backups-s3) into the directory of copies, by default the newest; then restore it",
  flags: { backups: true, "backups-s3": true },
  words: [0, 1],
  run: async (run) => {
    refusePostgres(run);
    const { data, backups, backupsS3 } = run.config;
    if (backupsS3 === null)
      throw new UsageError("Name the bucket: --backups-s3 URL, or DOCKET_BACKUPS_S3_FILE.");
    const { openBucket } = await import("../../server/bucket.ts");
    const bucket = openBucket(backupsS3);
    const directory = backups ?? join(data, "backups");
    const there = (await bucket.list()).map((copy) => ({ ...copy, directory }));
    const [word] = run.words;
    const wanted = word === undefined ? there[0] : findCopy(there, word);
    if (!wanted)
      throw new UnusableDatabase(
        there.length === 0
          ? `There is no copy at ${bucket.address}.`
          : `There is no such copy at ${bucket.address}. The newest is ${there[0]?.name}.`,
      );
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, wanted.name);
    if (existsSync(file)) throw new UnusableDatabase(`${file} is there already.`);
    const partial = `${file}.partial`;
    await bucket.fetch(wanted.name, partial);
    const contents = verifyBackup(partial);
    syncPath(partial);
    renameSync(partial, file);
    run.print(`${wanted.name}: sound, ${inWords(contents)}`);
    run.say(`It is in ${directory}. Restore it with: docket restore ${wanted.name}`);
    return 0;
  },
};

const drill: Command = {
  name: "drill",
  usage: "[FILE|NAME|TIME] [--backups DIR]",
  about:
    "restore a backup, by default the newest copy, into a temporary place and compare it: shows that a restore works, and how long it takes",
  flags: { backups: true },
  words: [0, 1],
  run: async (run) => {
    refusePostgres(run);
    const newest = newestDaily(ownCopies(run));
    const [word = newest?.name] = run.words;
    if (word === undefined)
      throw new UnusableDatabase(
        "There is no copy to try yet. A server makes one every day; `docket backup FILE` makes one now.",
      );
    const file = backupAt(run, word);
    const { contents, tables, seconds } = await drillBackup(run.config.data, file, run.now());
    run.print(
      `${basename(file)} can be restored, in ${seconds.toFixed(1)} s: ${inWords(contents)}.`,
    );
    run.say(
      `${counted(tables, "table")} were compared row by row, and are equal. The data were not touched.`,
    );
    return 0;
  },
};

/** A path that begins with a dash is nearly always a mistyped option. */
const pathOf = (word: string): string => {
  if (word.startsWith("-")) throw new UsageError(`"${word}" looks like an option. ${DASHED_FILE}`);
  return resolve(word);
};

const linesOf = (directory: string, file: string, { present, backup: incoming }: Replacement) => [
  present === null
    ? `There are no data in ${directory} yet. The backup will be placed there.`
    : `This replaces the data in ${directory}, and keeps them under backups/ there.`,
  ...(present === null ? [] : [`  Now:    ${inWords(present)}`]),
  `  Backup: ${inWords(incoming)} (${file})`,
];

const inWords = (contents: Replacement["backup"]): string => {
  if (contents === "unreadable") return "cannot be counted";
  const { accounts, tasks, changedAt } = contents;
  const newest = changedAt === null ? "no change yet" : `newest change ${formatInstant(changedAt)}`;
  return `${counted(accounts, "account")}, ${counted(tasks, "task")}, ${newest}`;
};

const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

/** The names come from the file, so they are written as JSON. */
const sayLeftOut = (run: Run, tables: readonly string[]): void => {
  if (tables.length > 0)
    run.say(`Left out these tables, which are not Docket's: ${tables.map(quoted).join(", ")}`);
};

const quoted = (table: string): string => printableJson(cutText(table, MAX_SHOWN));
const MAX_SHOWN = 100;

const sayRestored = (run: Run, { kept, carried, leftOut }: Restored): void => {
  run.say("Restored the backup. At their next sync, devices send everything they hold.");
  sayLeftOut(run, leftOut);
  if (kept !== null) run.say(`The previous data are kept at ${kept}`);
  if (!carried)
    run.say(
      "Warning: Docket could not read the previous data, so anything revoked or disabled since the backup may work " +
        "again. Check the API keys, sessions and accounts, and revoke or disable them again.",
    );
};

export const BACKUP_COMMANDS = [backup, list, verify, prune, fetchCommand, restore, drill];
