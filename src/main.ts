import { fstatSync, readFileSync } from "node:fs";
import type { Terminal } from "./cli/command.ts";
import { linesTo } from "./cli/terminal.ts";
import { runCommand } from "./cli/run.ts";
import { READER } from "./server/imports/reader.ts";
import { SECOND } from "./domain/base/instant.ts";
import { UsageError } from "./domain/base/usage.ts";

// Before anything is opened: whatever this process makes (database, log, backup, lock) is its owner's alone.
process.umask(0o077);

const readFile = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`The file ${path} cannot be read. Check its name and its permissions.`);
  }
};

const [printed, said] = [linesTo(Bun.stdout), linesTo(Bun.stderr)];

/** Reads all of standard input if it is piped. On a terminal, reads one line without showing it. */
const readSecret = async (prompt: string): Promise<string> => {
  const { stdin } = process;
  if (!stdin.isTTY) return (await Bun.stdin.text()).replace(/\r?\n$/, "");
  await said.begin(prompt);
  stdin.setRawMode(true);
  let typed = "";
  for await (const chunk of stdin) {
    const text = String(chunk);
    if (text.includes("\u0003")) process.exit(1);
    typed = text.includes("\u007F") ? typed.slice(0, -1) : typed + text;
    if (/[\r\n]/.test(typed)) break;
  }
  stdin.setRawMode(false);
  await said.write("");
  return typed.replace(/[\r\n].*$/s, "");
};

/** Docket can only ask a question on a terminal that it can both read from and write to. */
const canAsk = (): boolean => {
  const { isatty } = process.getBuiltinModule("node:tty");
  return isatty(0) && isatty(2);
};

const ask = async (question: string): Promise<string> => {
  await said.begin(question);
  let typed = "";
  for await (const chunk of process.stdin) {
    typed += String(chunk);
    if (typed.includes("\n")) break;
  }
  return typed.replace(/\r?\n.*$/s, "");
};

/** A terminal is a character device. So is /dev/null, but nobody reads that. */
const isDevice = (descriptor: number): boolean => {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
};

const terminal: Terminal = {
  print: (line) => void printed.write(line),
  write: printed.write,
  input: () => process.stdin,
  say: (line) => void said.write(line),
  readSecret,
  canAsk,
  ask,
  isTerminal: isDevice(2),
  now: Date.now,
};

// No top-level await: bytecode does not support it.
const run = async (): Promise<void> => {
  const code = await runCommand(process.argv.slice(2), {
    terminal,
    environment: process.env,
    readFile,
  });
  await printed.end();
  // A reader of the log that has stalled must not delay the exit.
  await Promise.race([said.end(), Bun.sleep(SECOND)]);
  process.exit(code);
};

/** A server has started this process to read a file for it. */
const readForServer = async (): Promise<void> => {
  (await import("./server/imports/child.ts")).readForServer();
};

void (process.argv[2] === READER ? readForServer() : run());
