import type { Setting } from "../../config/settings.ts";
import type { Command } from "../command.ts";

type Described = Pick<Command, "about" | "name" | "usage">;

/** Text in roff: a line that begins with a dot, and each backslash and dash, would mean something else. */
const roff = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");

/** The man page, docket(1). */
export const manPage = (
  commands: readonly Described[],
  settings: Readonly<Record<string, Setting>>,
  version: string,
): string =>
  [
    `.TH DOCKET 1 "" "docket ${version}" "Docket"`,
    ".SH NAME",
    "docket \\- tasks, the browser tabs saved in them, notes and folders",
    ".SH SYNOPSIS",
    ".B docket",
    ".I COMMAND",
    "[options]",
    ".SH DESCRIPTION",
    roff(
      "Docket is a server with its own database. A browser extension syncs with it, and scripts and AI agents use it with API keys. A running server has its guides at /docs/guides.",
    ),
    ".SH COMMANDS",
    roff("Every command accepts --data DIR and --database URL, and --help."),
    ...commands.flatMap(({ name, usage, about }) => [
      ".TP",
      `.B docket ${roff(`${name} ${usage}`.trimEnd())}`,
      roff(about),
    ]),
    ".SH SETTINGS",
    roff(
      "Each is a flag of docket serve, an environment variable (DOCKET_PORT for --port), or a file that a variable names (DOCKET_PORT_FILE).",
    ),
    ...Object.entries(settings).flatMap(([name, { value, about }]) => [
      ".TP",
      `.BI \\-\\-${roff(name)} " ${roff(value)}"`,
      roff(about),
    ]),
    ".SH EXIT STATUS",
    "0 for success, 1 for failure, 2 for wrong usage.",
    ".SH FILES",
    ".TP",
    roff("$XDG_DATA_HOME/docket, or ~/.local/share/docket"),
    "The data, unless a setting names another directory.",
  ].join("\n");
