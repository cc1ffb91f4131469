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
};

export type Outcome = {
  readonly replies: number;
  /** Replies by status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly ms: number;
  /** Time in ms from a request's first byte to its reply's last. */
  readonly p50: number;
  readonly p99: number;
};

/** Carries out an order as fast as the server replies. */
export const run = async ({ url, connections, calls, ms }: Order): Promise<Outcome> => {
  const requests = calls.map((call) => encode(url, call));
  const opened = await Promise.all(
    Array.from({ length: connections }, () => connect(new URL(url))),
  );
  const tally: Tally = { latencies: [], statuses: {} };
  const start = performance.now();
  const end = ms === null ? Number.POSITIVE_INFINITY : start + ms;
  let next = 0;
  const take = (): Uint8Array | undefined =>
    ms === null
      ? requests[next++]
      : performance.now() < end
        ? requests[next++ % requests.length]
        : undefined;
  await Promise.all(opened.map((connection) => callOn(connection, take, tally)));
  const took = performance.now() - start;
  for (const connection of opened) connection.close();
  return outcomeOf(tally, took);
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
};

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
      connection.ask(request, (status) => {
        tally.latencies.push(performance.now() - sent);
        tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
        next();
      });
    };
    next();
  });

const outcomeOf = ({ latencies, statuses }: Tally, ms: number): Outcome => {
  const sorted = Float64Array.from(latencies).toSorted();
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
  return { replies: sorted.length, statuses, ms, p50, p99 };
};

if (import.meta.main)
  process.on(
    "message",
    (order: Order) => void run(order).then((outcome) => process.send?.(outcome)),
  );
