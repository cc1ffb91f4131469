import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "./db/store.ts";
import { plainEnvironment, run } from "./program.ts";
import { testDirectory } from "./server.ts";

/** The program under a umask that lets everybody read what it makes. */
export const openly = (program: readonly string[]): readonly string[] => [
  "sh",
  "-c",
  'umask 0; exec "$@"',
  "sh",
  ...program,
];

/** Data of 40 MB, so that a copy of them takes a while. */
export const largeData = async (program: readonly string[]): Promise<string> => {
  const directory = testDirectory();
  await run(program, ["account", "add", "ann@example.org", "--data", directory]);
  const database = new Database(databaseFile(directory));
  const grow = database.query("UPDATE account SET email = email || hex(randomblob(20000000))");
  grow.run();
  database.close();
  return directory;
};

/** The modes that were seen of each file, by its name. */
type Modes = ReadonlyMap<string, ReadonlySet<string>>;

/** The mode of every file that was seen in a directory while the program ran. */
export const modesDuring = async (
  program: readonly string[],
  words: readonly string[],
  directory: string,
): Promise<Modes> => {
  const child = Bun.spawn([...program, ...words], {
    env: plainEnvironment(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const seen = new Map<string, Set<string>>();
  while (child.exitCode === null) {
    for (const name of readdirSync(directory)) {
      const mode = modeOf(join(directory, name));
      if (mode !== null) seen.set(name, (seen.get(name) ?? new Set()).add(mode));
    }
    await Bun.sleep(1);
  }
  expect(child.exitCode).toBe(0);
  return seen;
};

/** Asserts that only the owner could read the files. */
export const expectClosed = (seen: Modes): void => {
  const open = [...seen].flatMap(([name, modes]) => [...modes].map((mode) => `${name} ${mode}`));
  expect(open.filter((line) => !line.endsWith(" 600"))).toEqual([]);
};

export const modeOf = (file: string): string | null => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? (found.mode & 0o777).toString(8) : null;
};
