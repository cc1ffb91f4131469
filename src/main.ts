import { fstatSync, readFileSync } from "node:fs";
import type { Terminal } from "./cli/command.ts";
import { linesTo } from "./cli/lines.ts";
import { runCommand } from "./cli/run.ts";
import { SECOND } from "./domain/base/instant.ts";
import { UsageError } from "./domain/base/usage.ts";

const readFile = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`The file ${path} cannot be read.`);
  }
};

const [printed, said] = [linesTo(Bun.stdout), linesTo(Bun.stderr)];

/** Standard input whole where it is piped; on a terminal one line, which is not shown. */
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

/** A terminal is one. So is /dev/null, which nobody reads. */
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
  isTerminal: isDevice(2),
  now: Date.now,
};

// No top-level await: it does not go with bytecode.
void runCommand(process.argv.slice(2), { terminal, environment: process.env, readFile }).then(
  async (code) => {
    await printed.end();
    // Whoever reads the log but stands still does not hold the end up.
    await Promise.race([said.end(), Bun.sleep(SECOND)]);
    process.exit(code);
  },
);
