import { statSync } from "node:fs";
import { join } from "node:path";
import type { Kind } from "./mix.ts";
import { memoryOf } from "./memory.ts";
import { median, percentile } from "./stats.ts";

/** One minute of a soak. */
export type Sample = {
  readonly minute: number;
  readonly requests: number;
  /** Replies with an unexpected status. */
  readonly failed: number;
  /** In MiB: the minute's median memory, and the log file at its largest. */
  readonly rss: number;
  readonly wal: number;
  /** In ms, for all requests and for each kind. */
  readonly p50: number;
  readonly p99: number;
  readonly kinds: Readonly<Record<Kind, { readonly p50: number; readonly p99: number }>>;
};

export type Sampler = {
  readonly heard: (kind: Kind, ms: number, failed: boolean) => void;
  /** Reads the size of the memory and the log now. */
  readonly look: () => void;
  /** Ends a minute. */
  readonly close: (minute: number) => Sample;
};

const MIB = 1024 * 1024;

export const startSampler = (pid: number, directory: string): Sampler => {
  let latencies: Record<Kind, number[]> = { read: [], sync: [], write: [] };
  let [sizes, wal, failures]: [number[], number, number] = [[], 0, 0];
  return {
    heard: (kind, ms, failed) => {
      latencies[kind].push(ms);
      failures += Number(failed);
    },
    look: () => {
      sizes.push(memoryOf(pid).now / MIB);
      const log = statSync(join(directory, "docket.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
      wal = Math.max(wal, log / MIB);
    },
    close: (minute) => {
      const all = Object.values(latencies).flat();
      const { read, sync, write } = latencies;
      const kinds = { read: spread(read), sync: spread(sync), write: spread(write) };
      const sample = { minute, requests: all.length, failed: failures, rss: median(sizes), wal };
      latencies = { read: [], sync: [], write: [] };
      [sizes, wal, failures] = [[], 0, 0];
      return { ...sample, ...spread(all), kinds };
    },
  };
};

const spread = (values: readonly number[]) => {
  const sorted = Float64Array.from(values).toSorted();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
};

export type Verdict = {
  /**
   * MiB that the last five minutes take more than those after the first five; NaN if the soak is
   * shorter.
   */
  readonly growth: number;
  /** The log at its largest, in MiB. */
  readonly wal: number;
  /** p99 divided by p50, the median of the minutes: for all requests, and for each kind. */
  readonly tail: number;
  readonly tails: Readonly<Record<Kind, number>>;
  readonly failed: number;
};

/** Minutes in which a server may still settle. The next ones are compared with the last ones. */
const SETTLING = 5;

export const judge = (samples: readonly Sample[]): Verdict => {
  const rss = samples.map((sample) => sample.rss);
  const settled = rss.slice(SETTLING, 2 * SETTLING);
  const last = rss.slice(2 * SETTLING).slice(-SETTLING);
  const tail = (of: (sample: Sample) => { readonly p50: number; readonly p99: number }): number =>
    median(samples.map(of).map(({ p50, p99 }) => p99 / p50));
  const tails = {
    read: tail(({ kinds }) => kinds.read),
    sync: tail(({ kinds }) => kinds.sync),
    write: tail(({ kinds }) => kinds.write),
  };
  return {
    growth: median(last) - median(settled),
    wal: Math.max(...samples.map((sample) => sample.wal)),
    tail: tail((sample) => sample),
    tails,
    failed: samples.reduce((sum, { failed }) => sum + failed, 0),
  };
};
