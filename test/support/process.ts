import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Row } from "./client.ts";
import { DOCKET } from "./docket.ts";
import { run, type Running, serve } from "./program.ts";

/** The real program in a process of its own, which can be killed and started again. */
export type ServerProcess = {
  readonly directory: string;
  /** Its address since it was last started. */
  readonly url: () => string;
  readonly pid: () => number;
  /** Its standard error since then. */
  readonly said: () => string;
  /** Resolves to its exit code once it has ended by itself. */
  readonly ended: () => Promise<number>;
  /** Ends it (`SIGKILL`: at once, wherever it is). Returns its exit code, null after a kill. */
  readonly stop: (signal: "SIGKILL" | "SIGTERM") => Promise<number | null>;
  readonly start: () => Promise<void>;
};

/** As many requests as a test can send. */
const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

type ProcessOptions = {
  /** The executable by default. */
  readonly program?: readonly string[];
  /** The format of its log on standard error; by default there is none. */
  readonly log?: "json" | "off";
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts `docket serve` on a free port, with its data in `directory`. */
export const startServerProcess = async (
  directory: string,
  { program = DOCKET, log = "off", env = {} }: ProcessOptions = {},
): Promise<ServerProcess> => {
  const words = ["--data", directory, "--log", log, ...UNLIMITED];
  const start = (): Promise<Running> => serve(program, words, { env });
  let running = await start();
  return {
    directory,
    url: () => running.url,
    pid: () => running.pid,
    said: () => running.said(),
    ended: () => running.ended,
    stop: (signal) => running.stop(signal),
    start: async () => {
      running = await start();
    },
  };
};

/** A person's credentials on that server, made with its own commands, which leave nothing open. */
export type Credentials = { readonly session: string; readonly key: string };

export const makeCredentials = async (directory: string): Promise<Credentials> => {
  await docket(directory, "account", "add", "ann@example.org");
  const session = await makeSession(directory, "laptop");
  const scopes = ["--scopes", "read,write", "--expires", "never"];
  return { session, key: await docket(directory, "key", "create", "--name", "bot", ...scopes) };
};

/** Signs in one more device of the same person. Returns its token. */
export const makeSession = (directory: string, name: string): Promise<string> =>
  docket(directory, "session", "create", "--name", name);

const docket = async (directory: string, ...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(DOCKET, [...words, "--data", directory]);
  if (code !== 0) throw new Error(`docket ${words.join(" ")}: ${err}`);
  return out.trim();
};

/**
 * Asks SQLite directly, and closes the connection. One that stayed open beside a server that is
 * killed would spare the next server the recovery.
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

/** The records of all accounts, as they are in the file. */
export const rowsIn = (directory: string): readonly Row[] =>
  query<Omit<Row, "payload"> & { readonly payload: string }>(
    directory,
    `SELECT tbl AS "table", id, updated_at, deleted_at, payload FROM record`,
  ).map((row) => ({ ...row, payload: JSON.parse(row.payload) as Row["payload"] }));
