import { type Environment, type Flags, readConfig, readVariable } from "../config.ts";
import { UsageError } from "../domain/base/usage.ts";
import { UnusableDatabase } from "../db/sqlite/files/migrate.ts";
import { Refusal } from "../domain/base/refusal.ts";
import type { Command, Terminal } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { type Parsed, parseTyped } from "./parse.ts";

export type Outside = {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly readFile: (path: string) => string;
};

const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs what was typed. Returns the exit code: 0, 1 failed, 2 wrong usage. */
export const runCommand = async (typed: readonly string[], outside: Outside): Promise<number> => {
  const { say } = outside.terminal;
  try {
    return await dispatch(typed, outside);
  } catch (error) {
    if (error instanceof UsageError) {
      say(`docket: ${error.message}`);
      return WRONG_USAGE;
    }
    const expected = error instanceof Refusal || error instanceof UnusableDatabase;
    say(`docket: ${expected ? error.message : failure(error)}`);
    return FAILED;
  }
};

const dispatch = (typed: readonly string[], outside: Outside): Promise<number> => {
  const asked = dataLast(typed.map((word) => ALIASES[word] ?? word));
  const command = findCommand(asked);
  const rest = asked.slice(command.name.split(" ").length);
  const { values, words } = parse(command, rest);
  const [least, most] = command.words;
  if (words.length < least || words.length > most)
    throw new UsageError(`Usage: docket ${command.name} ${command.usage}`.trimEnd());
  const { environment, readFile, terminal } = outside;
  return command.run({
    ...terminal,
    config: readConfig(values as Flags, environment, readFile),
    flag: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    has: (name) => values[name] === true,
    words,
    url: readVariable("url", environment, readFile),
    key: () => readVariable("api-key", environment, readFile),
  });
};

/** `--data DIR` goes with every command, before its name too. */
const dataLast = (words: readonly string[]): readonly string[] => {
  const [first = "", ...rest] = words;
  if (first.startsWith("--data=")) return [...rest, first];
  return first === "--data" ? [...rest.slice(1), first, ...rest.slice(0, 1)] : words;
};

const ALIASES: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
};

const findCommand = (typed: readonly string[]): Command => {
  const words = typed.length === 0 ? ["help"] : typed;
  const found = COMMANDS.find(({ name }) =>
    name.split(" ").every((word, at) => words[at] === word),
  );
  if (found) return found;
  const near = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `)).map(
    ({ name }) => name,
  );
  throw new UsageError(
    near.length > 0
      ? `There are these: ${near.map((name) => `docket ${name}`).join(", ")}.`
      : `There is no command "${words[0]}": \`docket help\` lists all.`,
  );
};

const parse = (command: Command, rest: readonly string[]): Parsed => {
  try {
    return parseTyped(rest, { data: true, ...command.flags });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(
      `${error.message} Usage: docket ${command.name} ${command.usage}`.trimEnd(),
    );
  }
};

const failure = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code === "EADDRINUSE"
    ? `The address is in use: another program listens there. Choose another with --port. (${error.message})`
    : (error.stack ?? error.message);
};
