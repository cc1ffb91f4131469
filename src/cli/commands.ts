import { SETTINGS } from "../config/settings.ts";
import {
  configCommand,
  healthcheckCommand,
  licensesCommand,
  openapiCommand,
  versionCommand,
} from "./commands/about.ts";
import { ACCOUNT_COMMANDS } from "./commands/accounts.ts";
import { activityCommand } from "./commands/activity.ts";
import { BACKUP_COMMANDS } from "./commands/backups/backup.ts";
import { COPY_COMMANDS } from "./commands/backups/copies.ts";
import { changesCommand } from "./commands/changes.ts";
import { CLAIM_COMMANDS } from "./commands/claims.ts";
import type { Command } from "./command.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { exportCommand } from "./commands/export.ts";
import { folderCommand } from "./commands/restriction.ts";
import { historyCommand } from "./commands/history.ts";
import { IMPORT_COMMANDS } from "./commands/import.ts";
import { KEY_COMMANDS } from "./commands/keys.ts";
import { MOVE_COMMANDS } from "./commands/move.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { ownerLinkCommand } from "./commands/owner.ts";
import { selftestCommand } from "./commands/selftest.ts";
import { printCommand } from "./commands/print.ts";
import { serveCommand } from "./commands/serve.ts";
import { SESSION_COMMANDS } from "./commands/sessions.ts";
import { undoCommand } from "./commands/undo.ts";

const helpCommand: Command = {
  name: "help",
  usage: "[COMMAND]",
  about: "print this help, or the help for one command (also `docket COMMAND --help`)",
  flags: {},
  words: [0, 2],
  run: async (run) => {
    run.print(helpOn(run.words));
    return 0;
  },
};

export const COMMANDS: readonly Command[] = [
  serveCommand,
  ownerLinkCommand,
  ...ACCOUNT_COMMANDS,
  ...KEY_COMMANDS,
  folderCommand,
  ...SESSION_COMMANDS,
  activityCommand,
  ...CLAIM_COMMANDS,
  changesCommand,
  historyCommand,
  undoCommand,
  ...IMPORT_COMMANDS,
  exportCommand,
  mcpCommand,
  openapiCommand,
  ...BACKUP_COMMANDS,
  ...COPY_COMMANDS,
  ...MOVE_COMMANDS,
  configCommand,
  doctorCommand,
  printCommand(() => COMMANDS),
  healthcheckCommand,
  selftestCommand,
  versionCommand,
  licensesCommand,
  helpCommand,
];

/** Help on the command that was typed, on its group (`key`), or on all commands if the words name none. */
export const helpOn = (typed: readonly string[]): string => {
  const words = typed.filter((word) => !word.startsWith("-"));
  const command = words.map((_, at) => commandAt(words.slice(at))).find((one) => one !== null);
  if (command) return helpText([command]);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
  return group.length > 0 ? helpText(group) : `${INTRODUCTION}\n\n${helpText(COMMANDS)}`;
};

/** The command whose name the words begin with. */
export const commandAt = (words: readonly string[]): Command | null =>
  COMMANDS.find(({ name }) => name.split(" ").every((word, at) => words[at] === word)) ?? null;

const INTRODUCTION = "Docket keeps tasks, the browser tabs saved in them, notes and folders.";

const helpText = (commands: readonly Command[]): string =>
  [
    commands.length === 1
      ? "Usage (every command accepts --data DIR and --database URL):"
      : "Commands (every command accepts --data DIR and --database URL):",
    ...commands.flatMap(({ name, usage, about }) => [
      `  docket ${name} ${usage}`.trimEnd(),
      `      ${about}`,
    ]),
    ...(commands.some(({ flags }) => "public-url" in flags) ? ["", ...settingsText()] : []),
  ].join("\n");

const settingsText = (): readonly string[] => [
  "Settings of docket serve. Give each one as a flag, as a variable (DOCKET_PUBLIC_URL, ...), or in a",
  "file that a variable names (DOCKET_PUBLIC_URL_FILE, ...):",
  ...Object.entries(SETTINGS).map(
    ([name, { value, about }]) => `  --${`${name} ${value}`.padEnd(28)}${about}`,
  ),
];
