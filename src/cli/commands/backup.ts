import { resolve } from "node:path";
import {
  previewRestore,
  type Replacement,
  restoreBackup,
  type Restored,
  writeBackup,
} from "../../db/sqlite/files/backup.ts";
import type { Contents } from "../../db/sqlite/files/contents.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { UsageError } from "../../domain/base/usage.ts";
import type { Command, Run } from "../command.ts";
import { DASHED_FILE } from "../parse.ts";

const backup: Command = {
  name: "backup",
  usage: "[FILE]",
  about: "copy the data to a file, also while the server runs",
  flags: {},
  words: [0, 1],
  run: async (run) => {
    const stamp = formatInstant(run.now()).replaceAll(/[:.]/g, "-");
    const file = pathOf(run.words[0] ?? `docket-${stamp}.db`);
    writeBackup(run.config.data, file);
    run.say("The copy is whole and was checked:");
    run.print(file);
    return 0;
  },
};

const restore: Command = {
  name: "restore",
  usage: "FILE [--yes]",
  about: "put a backup in the data's place, while the server is stopped; asks first, but for --yes",
  flags: { yes: false },
  words: [1, 1],
  run: async (run) => {
    const { data: directory } = run.config;
    const file = pathOf(run.words[0] ?? "");
    if (!run.has("yes") && !run.canAsk())
      throw new UsageError(
        `A restore replaces the data in ${directory}, and there is no terminal to ask you at. Nothing was changed. ` +
          "If you mean it, add --yes.",
      );
    for (const line of linesOf(directory, file, previewRestore(directory, file))) run.say(line);
    if (!run.has("yes") && (await run.ask('Type "yes" to go on: ')).trim() !== "yes") {
      run.say("Nothing was changed.");
      return 1;
    }
    sayRestored(run, restoreBackup(directory, file, run.now()));
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
    ? `There are no data in ${directory} yet. The backup will be put there.`
    : `This replaces the data in ${directory}, and keeps them under backups/ there.`,
  ...(present === null ? [] : [`  Now:    ${inWords(present)}`]),
  `  Backup: ${inWords(incoming)} (${file})`,
];

const inWords = (contents: Contents | "unreadable"): string => {
  if (contents === "unreadable") return "cannot be counted";
  const { accounts, tasks, changedAt } = contents;
  const newest = changedAt === null ? "no change yet" : `newest change ${formatInstant(changedAt)}`;
  return `${counted(accounts, "account")}, ${counted(tasks, "task")}, ${newest}`;
};

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

const sayRestored = (run: Run, { kept, carried }: Restored): void => {
  run.say(`The backup is in place. Devices will send what they hold when they sync next.`);
  if (kept !== null) run.say(`What was there before is kept at ${kept}`);
  if (!carried)
    run.say(
      "Warning: what was revoked since the backup was made could not be read there. Look at the keys, sessions and " +
        "accounts, and revoke again what should be.",
    );
};

export const BACKUP_COMMANDS = [backup, restore];
