import { readFileSync } from "node:fs";
import type { Terminal } from "./cli/command.ts";
import { runCommand } from "./cli/run.ts";
import { UsageError } from "./usage.ts";

const readFile = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`The file ${path} cannot be read.`);
  }
};

/** Standard input whole where it is piped; on a terminal one line, which is not shown. */
const readSecret = async (prompt: string): Promise<string> => {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await Bun.stdin.text()).replace(/\r?\n$/, "");
  stderr.write(prompt);
  stdin.setRawMode(true);
  let typed = "";
  for await (const chunk of stdin) {
    const text = String(chunk);
    if (text.includes("\u0003")) process.exit(1);
    typed = text.includes("\u007F") ? typed.slice(0, -1) : typed + text;
    if (/[\r\n]/.test(typed)) break;
  }
  stdin.setRawMode(false);
  stderr.write("\n");
  return typed.replace(/[\r\n].*$/s, "");
};

const terminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  write: (line) =>
    new Promise((resolve) => void process.stdout.write(`${line}\n`, () => resolve())),
  input: () => process.stdin,
  say: (line) => process.stderr.write(`${line}\n`),
  readSecret,
  isTerminal: process.stderr.isTTY === true,
  now: Date.now,
};

// Whoever reads what is printed may go (`docket serve | head -1`): the server stays.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// No top-level await: it does not go with bytecode.
void runCommand(process.argv.slice(2), { terminal, environment: process.env, readFile }).then(
  // Once all is taken: a pipe holds 64 KiB, and what is beyond that would be lost.
  (code) => process.stdout.end(() => process.exit(code)),
);
