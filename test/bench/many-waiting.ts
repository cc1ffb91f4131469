import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, serve } from "../support/program.ts";
import { type Connection, connect } from "./http.ts";
import { memoryOf, processorTimeOf } from "./memory.ts";
import { percentile } from "./stats.ts";

// What many calls that wait for changes cost a server and the other callers.

/** Calls of one key that can wait at a time. */
const PER_KEY = 5;
/** Keys of one account. It may have 50. */
const PER_ACCOUNT = 40;
const PROBED = 10_000;
const EVERY = 20;
const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

/** Times in ms, the share of one processor, and memory in bytes. */
export type ManyWaiting = {
  readonly waiting: number;
  readonly median: number;
  readonly most: number;
  readonly processor: number;
  readonly memory: number;
  /** From a commit until the first and the last waiting call is answered; null if none waits. */
  readonly told: readonly [first: number, last: number] | null;
};

/** Starts a server of that program, lets this number of calls wait there, and measures it. */
export const measureWaiting = async (
  program: readonly string[],
  waiting: number,
): Promise<ManyWaiting> => {
  const directory = join(mkdtempSync(join(tmpdir(), "docket-waiting-")), "data");
  const command = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(program, [...words, "--data", directory]);
    if (code !== 0) throw new Error(err);
    return out.trim();
  };
  await command("account", "add", "bob@example.org");
  const key = (account: string, name: string) =>
    command("key", "create", "--account", account, "--name", name, "--scopes", "read,write");
  const bob = await key("bob@example.org", "bob");
  const keys: string[] = [];
  for (let at = 0; at < waiting / PER_KEY; at += 1) {
    const email = `p${Math.floor(at / PER_ACCOUNT)}@example.org`;
    if (at % PER_ACCOUNT === 0) await command("account", "add", email);
    keys.push(await key(email, `k${at}`));
  }
  const server = await serve(program, ["--data", directory, "--log", "off", ...UNLIMITED]);
  try {
    const connections = await openWaits(server.url, keys, waiting);
    await Bun.sleep(1_000);
    const [start, before] = [performance.now(), processorTimeOf(server.pid)];
    const times = await probe(server.url, bob);
    const processor = (processorTimeOf(server.pid) - before) / (performance.now() - start);
    const memory = memoryOf(server.pid).now;
    const told = waiting === 0 ? null : await tell(server.url, keys, connections);
    for (const { connection } of connections) connection.close();
    return {
      waiting,
      median: percentile(times, 0.5),
      most: percentile(times, 0.99),
      processor,
      memory,
      told,
    };
  } finally {
    await server.stop("SIGKILL");
    rmSync(join(directory, ".."), { recursive: true, force: true });
  }
};

type Waiter = { readonly connection: Connection; readonly answered: Promise<number> };

const openWaits = async (
  url: string,
  keys: readonly string[],
  count: number,
): Promise<readonly Waiter[]> => {
  const waits: Waiter[] = [];
  const since = new Date().toISOString();
  for (let at = 0; at < count; at += 1) {
    const connection = await connect(new URL(url));
    const answered = Promise.withResolvers<number>();
    const lines = [
      `GET /api/public/v1/changes?since=${since}&wait=25 HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${keys[Math.floor(at / PER_KEY)]}`,
    ];
    connection.ask(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`), (status) => {
      if (status !== 200) throw new Error(`A waiting call was answered with ${status}.`);
      answered.resolve(performance.now());
    });
    waits.push({ connection, answered: answered.promise });
  }
  return waits;
};

/** Asks for another account's tasks every 20 ms for ten seconds. Returns the sorted times in ms. */
const probe = async (url: string, token: string): Promise<Float64Array> => {
  const headers = { authorization: `Bearer ${token}` };
  const times: number[] = [];
  const ask = async (): Promise<void> => {
    const start = performance.now();
    await (await fetch(`${url}/api/public/v1/tasks`, { headers })).arrayBuffer();
    times.push(performance.now() - start);
  };
  const asked: Promise<void>[] = [];
  for (let at = 0; at < PROBED / EVERY; at += 1) {
    asked.push(ask());
    await Bun.sleep(EVERY);
  }
  await Promise.all(asked);
  return Float64Array.from(times).toSorted();
};

/** Adds a task to each account. Returns how long it takes from then until the first and the last waiting call is answered. */
const tell = async (
  url: string,
  keys: readonly string[],
  waits: readonly Waiter[],
): Promise<readonly [number, number]> => {
  const start = performance.now();
  for (const key of keys.filter((_, at) => at % PER_ACCOUNT === 0)) {
    const { status } = await fetch(`${url}/api/public/v1/tasks`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ title: "News" }),
    });
    if (status !== 201) throw new Error(`The new task was answered with ${status}.`);
  }
  const times = await Promise.all(waits.map(({ answered }) => answered));
  return [Math.min(...times) - start, Math.max(...times) - start];
};
