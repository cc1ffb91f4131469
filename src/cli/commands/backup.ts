import { resolve } from "node:path";
import {
  previewRestore,
  type Replacement,
  restoreBackup,
  type Restored,
  writeBackup,
} from "../../db/sqlite/files/backup.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { cutText, printableJson } from "../../domain/base/text.ts";
import { UsageError } from "../../domain/base/usage.ts";
import type { Command, Run } from "../command.ts";
import { DASHED_FILE } from "../parse.ts";

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
  usage: "FILE [--yes]",
  about:
    "replace the data with a backup; stop the server first. Asks before it does, unless you give --yes",
  flags: { yes: false },
  words: [1, 1],
  run: async (run) => {
    refusePostgres(run);
    const { data: directory } = run.config;
    const file = pathOf(run.words[0] ?? "");
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

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

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

export const BACKUP_COMMANDS = [backup, restore];
