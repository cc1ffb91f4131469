import { type Batch, changesOf } from "./data.ts";
import { connect, type Connection } from "./http.ts";
import { percentile } from "./stats.ts";

/**
 * A request for the load generator. A push is built here, because it is too large to be passed
 * between processes.
 */
export type Call = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly token: string | null;
  readonly body?: string | Batch;
};

export type Order = {
  readonly url: string;
  readonly connections: number;
  /** Sent in turn, on whichever connection is free. */
  readonly calls: readonly Call[];
  /** How long to run, in ms; null sends each call once. */
  readonly ms: number | null;
  /**
   * A path that one more connection requests all the time, to see how long the server keeps it
   * waiting.
   */
  readonly probe?: string;
};

export type Outcome = {
  readonly replies: number;
  /** Replies by status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly ms: number;
  readonly bytes: number;
  /** Time in ms from a request's first byte to its reply's last. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /**
   * The share of one core that the generator itself took. Near 1, the run measured the generator.
   */
  readonly busy: number;
  /** The probe's longest wait in ms; 0 without a probe. */
  readonly longestWait: number;
};

/** Time between two probes, in ms. */
const PAUSE = 1;

/** Carries out an order as fast as the server replies. */
export const run = async ({ url, connections, calls, ms, probe }: Order): Promise<Outcome> => {
  const requests = calls.map((call) => encode(url, call));
  const open = () => connect(new URL(url));
  const opened = await Promise.all(Array.from({ length: connections }, open));
  const probing = probe === undefined ? null : await open();
  const tally = newTally();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = ms === null ? Number.POSITIVE_INFINITY : start + ms;
  const watched =
    probing && watch(probing, encode(url, { method: "GET", path: probe ?? "", token: null }));
  let next = 0;
  const take = (): Uint8Array | undefined =>
    ms === null
      ? requests[next++]
      : performance.now() < end
        ? requests[next++ % requests.length]
        : undefined;
  await Promise.all(opened.map((connection) => callOn(connection, take, tally)));
  const took = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const longestWait = watched ? await watched() : 0;
  for (const connection of [...opened, ...(probing ? [probing] : [])]) connection.close();
  return { ...outcomeOf(tally, took), busy: (user + system) / 1_000 / took, longestWait };
};

const encode = (url: string, { method, path, token, body }: Call): Uint8Array => {
  const text =
    body === undefined || typeof body === "string" ? (body ?? "") : JSON.stringify(changesOf(body));
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    "User-Agent: bench",
    "Accept: application/json, text/event-stream",
    ...(body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`]),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
};

type Tally = {
  readonly latencies: number[];
  readonly statuses: Record<number, number>;
  bytes: number;
};

const newTally = (): Tally => ({ latencies: [], statuses: {}, bytes: 0 });

/** Calls one after the other on a connection, until `take` returns nothing more. */
const callOn = (
  connection: Connection,
  take: () => Uint8Array | undefined,
  tally: Tally,
): Promise<void> =>
  new Promise((resolve) => {
    const next = (): void => {
      const request = take();
      if (!request) return resolve();
      const sent = performance.now();
      connection.ask(request, (status, bytes) => {
        tally.latencies.push(performance.now() - sent);
        tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
        tally.bytes += bytes;
        next();
      });
    };
    next();
  });

/**
 * Sends the request again and again. Calling the result stops it and resolves to the longest wait.
 */
const watch = (connection: Connection, request: Uint8Array): (() => Promise<number>) => {
  let [longest, over] = [0, false];
  const done = Promise.withResolvers<number>();
  const next = (): void => {
    if (over) return done.resolve(longest);
    const sent = performance.now();
    connection.ask(request, () => {
      longest = Math.max(longest, performance.now() - sent);
      setTimeout(next, PAUSE);
    });
  };
  next();
  return () => {
    over = true;
    return done.promise;
  };
};

const outcomeOf = ({ latencies, statuses, bytes }: Tally, ms: number) => {
  const sorted = Float64Array.from(latencies).toSorted();
  const [p50, p99, max] = [
    percentile(sorted, 0.5),
    percentile(sorted, 0.99),
    percentile(sorted, 1),
  ];
  return { replies: sorted.length, statuses, ms, bytes, p50, p99, max };
};

if (import.meta.main)
  process.on(
    "message",
    (order: Order) => void run(order).then((outcome) => process.send?.(outcome)),
  );
