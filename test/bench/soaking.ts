import { type Device, nextCall, type PlannedCall } from "./mix.ts";
import type { Progress } from "./progress.ts";
import { type Sample, type Sampler, startSampler } from "./samples.ts";
import type { Owner } from "./seed.ts";
import { shown } from "./report.ts";
import { dice } from "../support/random.ts";

export type Soaked = {
  readonly url: string;
  readonly pid: number;
  readonly directory: string;
  readonly name: string;
  readonly owner: Owner;
};

export type SoakOptions = {
  readonly minutes: number;
  /**
   * Requests per second of all clients together; with 0, each client sends the next one as soon as
   * it has its reply.
   */
  readonly rate: number;
  readonly progress: Progress;
};

const CLIENTS = 16;
const MINUTE = 60_000;
/** Time between two measurements of memory, in ms. */
const LOOK = 2_000;

/** Loads a server, and returns a sample for each minute. */
export const soak = async (server: Soaked, options: SoakOptions): Promise<readonly Sample[]> => {
  const { minutes, progress } = options;
  const sampler = startSampler(server.pid, server.directory);
  const end = performance.now() + minutes * MINUTE;
  const device: Device = { since: new Date().toISOString(), version: 0 };
  const clients = Array.from({ length: CLIENTS }, (_, at) =>
    client({ server, sampler, device, end, options, at }),
  );
  const looking = setInterval(sampler.look, LOOK);
  const samples: Sample[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await Bun.sleep(end - (minutes - minute) * MINUTE - performance.now());
    const sample = sampler.close(minute);
    samples.push(sample);
    progress.line(told(sample));
  }
  clearInterval(looking);
  await Promise.all(clients);
  return samples;
};

const told = ({ minute, requests, failed, rss, wal, p50, p99 }: Sample): string =>
  `minute ${minute}: ${requests} requests, ${failed} failed, ${shown(rss)} MiB of memory, ` +
  `${shown(wal)} MiB of log, p50 ${shown(p50)} ms, p99 ${shown(p99)} ms`;

type Client = {
  readonly server: Soaked;
  readonly sampler: Sampler;
  readonly device: Device;
  readonly end: number;
  readonly options: SoakOptions;
  readonly at: number;
};

/** Sends requests until the end, at its share of the rate. It does not catch up after a delay. */
const client = async ({ server, sampler, device, end, options, at }: Client): Promise<void> => {
  const random = dice(at + 1);
  const pause = options.rate === 0 ? 0 : (CLIENTS / options.rate) * 1_000;
  let next = performance.now() + random(Math.ceil(pause) + 1);
  while (performance.now() < end) {
    if (next > performance.now()) await Bun.sleep(next - performance.now());
    const call = nextCall(random, server.name, server.owner, device);
    const start = performance.now();
    const reply = await ask(server.url, call);
    const text = await reply.text();
    sampler.heard(call.kind, performance.now() - start, reply.status > 201);
    if (call.kind === "sync" && call.method === "GET")
      device.since = /"server_time":"([^"]+)"/.exec(text)?.[1] ?? device.since;
    next = Math.max(next + pause, start);
  }
};

const ask = (url: string, { method, path, token, body }: PlannedCall): Promise<Response> => {
  const headers = { authorization: `Bearer ${token}` };
  if (body === undefined) return fetch(url + path, { method, headers });
  return fetch(url + path, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
};
