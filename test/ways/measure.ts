import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Walk } from "./walk.ts";

// Run with `instrument.ts` preloaded: runs each of the five jobs against the real server and prints, as
// JSON, the files that each one went through. With `--functions`, prints the functions as well.

/**
 * What functions report to: the file and name of the one that is entered, and the mark of the function it is
 * nested in.
 */
type Report = (file: string, name: string, outer: number | null) => number;

type Caller = { readonly file: string; readonly functions: readonly string[] };

const steps: { file: string; name: string; caller: Caller | null }[] = [];
let walk = 0;
let walks = 0;

/**
 * The nearest caller among the program's files, leaving out `domain/base`, which serves them all: its file, and those of
 * its functions that were on the way to the call.
 */
const callerOf = (stack: string): Caller | null => {
  const found: { file: string | null; functions: string[] } = { file: null, functions: [] };
  for (const line of stack.split("\n").slice(3)) {
    const [, name = "", file] =
      /at (?:async )?(\S*) ?.*?\/src\/(.*?\.tsx?)(?::|\))/.exec(line) ?? [];
    if (file === undefined || isBase(file)) continue;
    found.file ??= file;
    if (file !== found.file) break;
    found.functions.push(name);
  }
  return found.file === null ? null : { file: found.file, functions: found.functions };
};

/** `domain/base` serves all files, and every query goes through these three. */
const isBase = (file: string): boolean =>
  file.startsWith("domain/base/") || /^db\/(query|sqlite\/(orm|shared-reads))\.ts$/.test(file);

Error.stackTraceLimit = 50;
const entered: Report = (file, name, outer) => {
  // A function nested in one that was entered on this walk is read where it is written, so it is no new call.
  if (walk !== 0 && outer !== walk && !isBase(file))
    steps.push({ file, name, caller: callerOf(new Error("way").stack ?? "") });
  return walk;
};
Object.assign(globalThis, { entered, same: <Value>(value: Value): Value => value });

/** Runs the job twice, since the first run loads and prepares things, and records the second. */
const walkOf = async (name: string, go: (time: number) => Promise<Response>): Promise<Walk> => {
  await check(name, await go(1));
  await Bun.sleep(20);
  walk = walks += 1;
  steps.length = 0;
  await check(name, await go(2));
  await Bun.sleep(20);
  walk = 0;
  return { name, ...summary() };
};

const check = async (name: string, response: Response): Promise<void> => {
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${name}: ${response.status} ${text}`);
};

/**
 * Files in the order in which they were entered. A function that calls no other file only answers, and may be called
 * repeatedly. Any other file is called into from one place, once: otherwise the walk returned to a file that it had left.
 */
const summary = (): Omit<Walk, "name"> => {
  const passing = new Set<string>();
  for (const { file, caller } of steps)
    if (caller && caller.file !== file)
      for (const name of ["", ...caller.functions]) passing.add(`${caller.file} ${name}`.trim());
  const files: string[] = [];
  const asked = new Set<string>();
  const returns = new Set<string>();
  for (const { file, name, caller } of steps) {
    if (process.argv.includes("--functions"))
      process.stderr.write(`${file} ${name} <- ${caller?.file}\n`);
    if (!passing.has(file)) asked.add(file);
    else if (!files.includes(file)) files.push(file);
    // Without a caller, the runtime or the framework calls: a hook, or the next turn of the event loop.
    else if (caller !== null && caller.file !== file && file !== files.at(-1))
      if (passing.has(`${file} ${name}`)) returns.add(`${file} ${name}, from ${caller.file}`);
  }
  return { files, asked: [...asked], returns: [...returns] };
};

const directory = mkdtempSync(join(tmpdir(), "docket-ways-"));
const { startWorld } = await import("./jobs.ts");
const { jobs, stop } = await startWorld(directory);
const found: Walk[] = [];
for (const [name, go] of Object.entries(jobs)) found.push(await walkOf(name, go));
process.stdout.write(`${JSON.stringify(found, null, 1)}\n`);
await stop();
rmSync(directory, { recursive: true, force: true });
