import { Database } from "bun:sqlite";
import { join } from "node:path";
import { FROM_SOURCE, run, type Running, serve } from "./_program.ts";

/** The real program in a process of its own, which can be killed and started again. */
export type ServerProcess = {
  readonly directory: string;
  /** Where it listens since it was started last. */
  readonly url: () => string;
  readonly pid: () => number;
  /** Ends it (`SIGKILL`: at once, wherever it is) and returns its exit code, null after a kill. */
  readonly stop: (signal: "SIGKILL" | "SIGTERM") => Promise<number | null>;
  readonly start: () => Promise<void>;
};

/** As many requests as a test can send. */
const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

/** Starts `docket serve` from source on a free port, its data in `directory`. */
export const startServerProcess = async (directory: string): Promise<ServerProcess> => {
  const words = ["--data", directory, "--log", "off", ...UNLIMITED];
  const start = (): Promise<Running> => serve(FROM_SOURCE, words);
  let running = await start();
  return {
    directory,
    url: () => running.url,
    pid: () => running.pid,
    stop: (signal) => running.stop(signal),
    start: async () => {
      running = await start();
    },
  };
};

/** What a person has who calls that server: made by its own commands, which leave nothing open. */
export type Credentials = { readonly session: string; readonly key: string };

export const makeCredentials = async (directory: string): Promise<Credentials> => {
  const docket = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(FROM_SOURCE, [...words, "--data", directory]);
    if (code !== 0) throw new Error(`docket ${words.join(" ")}: ${err}`);
    return out.trim();
  };
  await docket("account", "add", "ann@example.org");
  const session = await docket("session", "create", "--name", "laptop");
  const scopes = ["--scopes", "read,write", "--expires", "never"];
  return { session, key: await docket("key", "create", "--name", "bot", ...scopes) };
};

/**
 * What SQLite itself answers. The connection is gone afterwards: one that stays open beside a server
 * that is killed would spare the next one the recovery.
 */
export const query = <Answer>(directory: string, sql: string): readonly Answer[] => {
  const database = new Database(join(directory, "docket.db"), { readwrite: true, create: false });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    using statement = database.prepare<Answer, []>(sql);
    return statement.all();
  } finally {
    database.close(true);
  }
};
