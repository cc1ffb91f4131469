import { UnusableDatabase } from "../db/unusable.ts";
import { type Environment, type Flags, readVariable } from "../config/settings.ts";
import { givenSettings } from "../config/given.ts";
import { readConfig } from "../config/config.ts";
import { UsageError } from "../domain/base/usage.ts";
import { inWords, WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { Refusal } from "../domain/base/refusal.ts";
import type { Command, Terminal } from "./command.ts";
import { commandAt, COMMANDS, helpOn } from "./commands.ts";
import { workAsOwnerOf } from "./as-owner.ts";
import { DASHED_FILE, type Parsed, parseTyped } from "./parse.ts";

export type Outside = {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
};

const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs a command line. Returns the exit code: 0 for success, 1 for failure, 2 for wrong usage. */
export const runCommand = async (typed: readonly string[], outside: Outside): Promise<number> => {
  const { say } = outside.terminal;
  try {
    return await dispatch(typed, outside);
  } catch (error) {
    if (error instanceof UsageError) {
      say(`docket: ${error.message}`);
      return WRONG_USAGE;
    }
    say(`docket: ${textOf(error)}`);
    return FAILED;
  }
};

const textOf = (error: unknown): string => {
  if (error instanceof Refusal) return inWords(error.sentence, COMMAND_WORDS);
  return error instanceof UnusableDatabase ? error.message : failure(error);
};

/** Where a call of the API would be named, a command is. */
const COMMAND_WORDS: Words = (term) =>
  "call" in term && term.call === "listFolders" ? "`docket folder list`" : WIRE_WORDS(term);

const dispatch = async (typed: readonly string[], outside: Outside): Promise<number> => {
  // Before anything else: someone who asks what a command does must not have it done.
  if (typed.some(isHelp)) {
    outside.terminal.print(helpOn(dataLast(typed.filter((word) => !isHelp(word)))));
    return 0;
  }
  const asked = withoutAlias(dataLast(typed));
  const command = findCommand(asked);
  const rest = asked.slice(command.name.split(" ").length);
  const { values, words } = parse(command, rest);
  const [least, most] = command.words;
  if (words.length < least || words.length > most)
    throw new UsageError(`Usage: docket ${command.name} ${command.usage}`.trimEnd());
  const { environment, readFile, terminal } = outside;
  const flags = values as Flags;
  const config = readConfig(flags, environment, readFile);
  if (command.name !== "serve") workAsOwnerOf(config.data);
  return command.run({
    ...terminal,
    config,
    settings: () => givenSettings(flags, environment, readFile, config),
    flag: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    has: (name) => values[name] === true,
    words,
    url: readVariable("url", environment, readFile),
    key: () => readVariable("api-key", environment, readFile),
    variable: (name) => readVariable(name, environment, readFile),
  });
};

const isHelp = (word: string): boolean => word === "--help" || word === "-h";

/** Every command accepts `--data DIR`, even before its name: it moves to the end, but before a `--`. */
const dataLast = (words: readonly string[]): readonly string[] => {
  const count = words[0] === "--data" ? 2 : words[0]?.startsWith("--data=") ? 1 : 0;
  const rest = words.slice(count);
  const end = rest.indexOf("--");
  return rest.toSpliced(end === -1 ? rest.length : end, 0, ...words.slice(0, count));
};

/** In a command's place alone: elsewhere `--version` would be taken for the name of a file. */
const withoutAlias = (words: readonly string[]): readonly string[] =>
  words[0] === "--version" ? ["version", ...words.slice(1)] : words;

const findCommand = (typed: readonly string[]): Command => {
  const words = typed.length === 0 ? ["help"] : typed;
  const found = commandAt(words);
  if (found) return found;
  const near = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `)).map(
    ({ name }) => name,
  );
  throw new UsageError(
    near.length > 0
      ? `This command is incomplete. Use one of these: ${near.map((name) => `docket ${name}`).join(", ")}.`
      : `There is no command "${words[0]}". Run \`docket help\` to see all commands.`,
  );
};

const parse = (command: Command, rest: readonly string[]): Parsed => {
  try {
    return parseTyped(rest, { data: true, database: true, ...command.flags });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint = command.usage.includes("FILE") ? ` ${DASHED_FILE}` : "";
    throw new UsageError(
      `${error.message}${hint} Usage: docket ${command.name} ${command.usage}`.trimEnd(),
    );
  }
};

/** What is wrong with the machine, and what to do, by what the system calls it (errno). */
const MACHINE: ReadonlyMap<unknown, string> = new Map([
  [
    "EADDRINUSE",
    "Another program is already listening on this port. Stop it, or choose another port with --port.",
  ],
  ["ENOSPC", "The disk is full. Free some space, and try again."],
  ["EDQUOT", "This user may not fill more of the disk. Free some space, and try again."],
  ["EROFS", "The disk is read-only. Make it writable, or choose another place."],
  ["EACCES", "This user may not do that. Run the command as the owner of the files."],
  ["EPERM", "This user may not do that. Run the command as the owner of the files."],
  ["EADDRNOTAVAIL", "This machine does not have that address. Choose another one with --host."],
  ["EEXIST", "A file is in the way. Choose another place."],
  ["ENOTDIR", "A file is where a directory should be. Check the path."],
  ["EISDIR", "A directory is where a file should be. Check the path."],
  ["ENAMETOOLONG", "This name is too long. Choose a shorter one."],
  ["ENOENT", "There is no such file or directory. Check the path."],
  ["ELOOP", "Links lead back to themselves. Check the path."],
  ["EIO", "The disk failed. Check it, and the system's log."],
]);

const failure = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const sentence = MACHINE.get("code" in error ? error.code : null);
  return sentence === undefined ? (error.stack ?? error.message) : `${sentence} (${error.message})`;
};
