import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Mutant, MUTANTS, PROMISES } from "./mutants.ts";

const HELP = `bun mutants [--only TEXT] [--from N] [--whole]

Puts each fault of test/mutants/mutants.ts into a copy of the repository, runs the tests there that caught it before,
then those of its room, to the first failure, and says which faults no test caught.
--only   those whose file contains this text
--from   starts at this one
--whole  runs all tests against each, not only those of its room`;

/** The tests that are played against a fault in a room, if the one that caught it before does not: the quickest first. */
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  domain: [["domain"], ["sync", "http", "mcp"], ["web", "db", "model"]],
  db: [
    ["domain", "sync", "http"],
    ["db", "server"],
    ["web", "mcp", "cli"],
    ["faults", "crash"],
  ],
  http: [["http", "reference"]],
  mcp: [["mcp", "http"]],
  server: [
    ["http", "server"],
    ["mcp", "web", "cli"],
  ],
  web: [["web"], ["http", "browser"], ["app"]],
  client: [["client", "domain"], ["app"], ["extension"]],
  ui: [["client"], ["app"]],
  extension: [["extension"]],
  import: [["import"], ["extension"]],
  cli: [["cli", "sandbox"]],
};

const REST = [
  ["http", "server"],
  ["cli", "crash", "faults"],
];

const ROOT = resolve(import.meta.dir, "../..");
const COPIED = [
  "src",
  "test",
  "drizzle",
  "package.json",
  "bun.lock",
  "tsconfig.json",
  "bunfig.toml",
  "README.md",
  "LICENSE",
  ".ci",
];

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    from: { type: "string", default: "1" },
    whole: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const main = async (): Promise<void> => {
  if (values.help) return print(HELP);
  const survivors: string[] = [];
  for (const [at, mutant] of [...MUTANTS, ...PROMISES].entries()) {
    if (at + 1 < Number(values.from) || !mutant.file.includes(values.only)) continue;
    const begun = performance.now();
    const caught = await playOne(mutant);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const line = `${at + 1} ${mutant.file}: ${mutant.promise ?? mutant.kind}`;
    print(`${line}: ${caught ?? "SURVIVED"} (${seconds} s)`);
    if (caught === null) survivors.push(line);
  }
  print(`Not caught: ${survivors.length}.`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
};

/** Returns the test that failed, or null if all passed. Throws if that test fails without the fault too. */
const playOne = async (mutant: Mutant): Promise<string | null> => {
  const copy = await mkdtemp(join(tmpdir(), "docket-mutant-"));
  try {
    for (const name of COPIED) await cp(join(ROOT, name), join(copy, name), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
    const path = join(copy, "src", mutant.file);
    await mutate(path, mutant);
    for (const paths of pathsFor(mutant)) {
      const failed = await runTests(copy, paths);
      if (failed === null) continue;
      await cp(join(ROOT, "src", mutant.file), path);
      // What the tests have built of it.
      await rm(join(copy, "dist"), { recursive: true, force: true });
      if ((await runTests(copy, [failed.file])) !== null)
        throw new Error(`${failed.file} fails without the fault too: ${failed.name}`);
      return `${failed.file}: ${failed.name}`;
    }
    return null;
  } finally {
    await rm(copy, { recursive: true });
  }
};

const mutate = async (path: string, { file, from, to }: Mutant): Promise<void> => {
  const text = await Bun.file(path).text();
  if (text.split(from).length !== 2) throw new Error(`${file} no longer has this once: ${from}`);
  await Bun.write(
    path,
    text.replace(from, () => to),
  );
};

/** The paths below `test` to play, one list after the other; an empty list is everything. */
const pathsFor = ({ file, by }: Mutant): readonly (readonly string[])[] => {
  const rooms = ROOMS[file.split("/")[0] ?? ""] ?? REST;
  const inRooms = rooms.map((names) => names.map((name) => `${name}/`));
  return [...(by === undefined ? [] : [[by]]), ...(values.whole ? [[]] : inRooms)];
};

/** A test that failed, and its file below `test`. */
type Failed = { readonly file: string; readonly name: string };

/** Runs the tests at some paths, or all. Returns the first one that failed, or null. */
const runTests = async (copy: string, paths: readonly string[]): Promise<Failed | null> => {
  const tests = Bun.spawn(
    [
      // The tests of one parent share what they have built.
      "sh",
      "-c",
      '"$@"; exit $?',
      "sh",
      process.execPath,
      "test",
      "--timeout",
      "60000",
      "--bail=1",
      "--parallel=2",
      "--no-isolate",
      ...paths.map((path) => `test/${path}`),
    ],
    { cwd: copy, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const texts = [tests.stdout, tests.stderr].map((stream) => new Response(stream).text());
  const text = (await Promise.all(texts)).join("\n");
  if ((await tests.exited) === 0) return null;
  // A file may fail as a whole, outside its tests.
  const failed = /^\(fail\) (.*)$|^# (Unhandled error between tests)$/m.exec(text);
  const file = [...text.slice(0, failed?.index).matchAll(/^test\/(\S+):$/gm)].at(-1)?.[1];
  const name = failed?.[1] ?? failed?.[2];
  if (file === undefined || name === undefined) throw new Error(text.slice(-1_000));
  return { file, name };
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await main();
