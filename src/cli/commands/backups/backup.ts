import { basename } from "node:path";
import {
  previewRestore,
  type Replacement,
  restoreBackup,
  type Restored,
  writeBackup,
} from "../../../db/sqlite/files/backup.ts";
import { newestDaily } from "../../../domain/backups/kept.ts";
import { drillBackup } from "../../../db/sqlite/files/drill.ts";
import { UnusableDatabase } from "../../../db/unusable.ts";
import { formatInstant } from "../../../domain/base/instant.ts";
import { cutText, printableJson } from "../../../domain/base/text.ts";
import { UsageError } from "../../../domain/base/usage.ts";
import type { Command, Run } from "../../command.ts";
import { counted } from "../../terminal.ts";
import { backupAt, contentsText, ownCopies, pathOf, refusePostgres } from "./find.ts";

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
      `${basename(file)} can be restored, in ${seconds.toFixed(1)} s: ${contentsText(contents)}.`,
    );
    run.say(
      `${counted(tables, "table")} were compared row by row, and are equal. The data were not touched.`,
    );
    return 0;
  },
};

const linesOf = (directory: string, file: string, { present, backup: incoming }: Replacement) => [
  present === null
    ? `There are no data in ${directory} yet. The backup will be placed there.`
    : `This replaces the data in ${directory}, and keeps them under backups/ there.`,
  ...(present === null ? [] : [`  Now:    ${contentsText(present)}`]),
  `  Backup: ${contentsText(incoming)} (${file})`,
];

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

export const BACKUP_COMMANDS = [backup, restore, drill];
