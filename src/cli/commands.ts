import { SETTINGS } from "../config.ts";
import { healthcheckCommand, versionCommand } from "./commands/about.ts";
import { ACCOUNT_COMMANDS } from "./commands/accounts.ts";
import { activityCommand } from "./commands/activity.ts";
import { BACKUP_COMMANDS } from "./commands/backup.ts";
import type { Command } from "./command.ts";
import { folderCommand } from "./commands/folders.ts";
import { historyCommand } from "./commands/history.ts";
import { KEY_COMMANDS } from "./commands/keys.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { openapiCommand } from "./commands/openapi.ts";
import { ownerLinkCommand } from "./commands/owner.ts";
import { serveCommand } from "./commands/serve.ts";
import { SESSION_COMMANDS } from "./commands/sessions.ts";
import { undoCommand } from "./commands/undo.ts";

const helpCommand: Command = {
  name: "help",
  usage: "",
  about: "print this",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    run.print(helpText());
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
  historyCommand,
  undoCommand,
  mcpCommand,
  openapiCommand,
  ...BACKUP_COMMANDS,
  healthcheckCommand,
  versionCommand,
  helpCommand,
];

const helpText = (): string =>
  [
    "docket keeps tasks, the browser tabs saved into them, notes and folders.",
    "",
    "Commands (--data DIR goes with each):",
    ...COMMANDS.flatMap(({ name, usage, about }) => [
      `  docket ${name} ${usage}`.trimEnd(),
      `      ${about}`,
    ]),
    "",
    "Settings of serve, as flags, as variables (DOCKET_PUBLIC_URL, ...), or in files that variables",
    "name (DOCKET_PUBLIC_URL_FILE, ...):",
    ...Object.entries(SETTINGS).map(
      ([name, { value, about }]) => `  --${`${name} ${value}`.padEnd(28)}${about}`,
    ),
  ].join("\n");
