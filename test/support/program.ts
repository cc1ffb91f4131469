import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

export type ProgramOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
};

const ROOT = join(import.meta.dir, "../..");

/** The program from source, as `bun start` runs it. */
export const FROM_SOURCE: readonly string[] = [process.execPath, join(ROOT, "src/main.ts")];

/** An environment without settings for Docket or the runtime. */
export const plainEnvironment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  ...more,
});

/** Runs the program to its end. */
export const run = async (
  program: readonly string[],
  words: readonly string[],
  { env = {}, cwd, input }: ProgramOptions = {},
): Promise<Ended> => {
  const child = Bun.spawn([...program, ...words], {
    env: plainEnvironment(env),
    ...(cwd === undefined ? {} : { cwd }),
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
};

export type Running = {
  readonly url: string;
  readonly pid: number;
  /** Its standard output so far, and its standard error. */
  readonly printed: () => string;
  readonly said: () => string;
  /** Resolves to its exit code once it has ended by itself. */
  readonly ended: Promise<number>;
  /** Sends the signal and waits for the end. Returns the exit code, null if the signal ended it. */
  readonly stop: (signal?: "SIGKILL" | "SIGTERM") => Promise<number | null>;
};

/** Starts `serve` on a free port and waits until it reports its address. */
export const serve = async (
  program: readonly string[],
  words: readonly string[],
  { env = {}, cwd }: ProgramOptions = {},
): Promise<Running> => {
  const child = Bun.spawn([...program, "serve", "--port", "0", ...words], {
    env: plainEnvironment(env),
    ...(cwd === undefined ? {} : { cwd }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  // A test that fails before it stops its server leaves none behind.
  process.once("exit", () => child.kill("SIGKILL"));
  let [printed, said] = ["", ""];
  const listening = Promise.withResolvers<string>();
  const read = async (): Promise<void> => {
    for await (const chunk of child.stdout) {
      printed += new TextDecoder().decode(chunk);
      const url = /listening on (\S+)/.exec(printed)?.[1];
      if (url !== undefined) listening.resolve(url);
    }
    listening.reject(new Error(`The server ended before it listened: ${printed}${said}`));
  };
  const listen = async (): Promise<void> => {
    for await (const chunk of child.stderr) said += new TextDecoder().decode(chunk);
  };
  void read();
  void listen();
  return {
    url: await listening.promise,
    pid: child.pid,
    printed: () => printed,
    said: () => said,
    ended: child.exited,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      await child.exited;
      return child.signalCode === null ? child.exitCode : null;
    },
  };
};

/**
 * Builds the binary as a user would, once per run of the tests. Returns the command that runs it.
 */
export const buildBinary = (): Promise<readonly string[]> => (built ??= buildOnce());

let built: Promise<readonly string[]> | null = null;

const BINARY: readonly string[] = [join(ROOT, "dist/docket")];

/**
 * The first of the runner's workers builds and the others wait, so that they do not overwrite one
 * another's files.
 */
const buildOnce = async (): Promise<readonly string[]> => {
  if (process.env["BUN_TEST_WORKER_ID"] === undefined) return build();
  const lock = join(tmpdir(), `docket-build-${process.ppid}-${startOf(process.ppid)}`);
  const done = join(lock, "done");
  if (mkdirOnce(lock)) await build().finally(() => writeFileSync(done, ""));
  while (!existsSync(done)) await Bun.sleep(50);
  return BINARY;
};

/** When a process started, so that a later one with the same number is not confused with it. */
const startOf = (pid: number): number =>
  statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.ctimeMs ?? 0;

const mkdirOnce = (directory: string): boolean => {
  try {
    mkdirSync(directory);
    return true;
  } catch {
    return false;
  }
};

const build = async (): Promise<readonly string[]> => {
  const { code, err } = await run([process.execPath], ["run", "build"], { cwd: ROOT });
  if (code !== 0) throw new Error(`The build failed: ${err}`);
  return BINARY;
};
