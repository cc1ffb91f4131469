import { describe, expect, test } from "bun:test";
import { DOCKET } from "../support/docket.ts";
import { testDirectory } from "../support/server.ts";
import { runBench } from "./run.ts";
import { bar, startProgress } from "./progress.ts";
import { shown, table } from "./report.ts";
import { judge, type Sample } from "./samples.ts";
import { median, percentile, ratio } from "./stats.ts";

describe("Statistics and reports", () => {
  test("the median is the middle value, or the mean of the two in the middle", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test("a percentile is the smallest value that this share of the values does not exceed", () => {
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test("a ratio is the median of the rounds' ratios, and its spread is their middle half", () => {
    expect(ratio([9, 1, 8], [10, 10, 10])).toEqual({ value: 0.8, low: 0.1, high: 0.9 });
    const [ours, theirs] = [
      [5, 100, 6, 7, 8, 9, 1, 60],
      [10, 200, 10, 10, 10, 10, 10, 100],
    ];
    expect(ratio(ours, theirs)).toEqual({ value: 0.6, low: 0.5, high: 0.7 });
  });

  test("a number is shown with its significant digits", () => {
    const numbers = [12_345.6, 1_000, 12.345, 0.9, 0.12345, Number.NaN];
    expect(numbers.map(shown)).toEqual(["12,346", "1,000", "12.3", "0.9", "0.123", "-"]);
  });
});

test("A table is plain text and Markdown", () => {
  expect(
    table(
      ["job", "ms"],
      [
        ["GET /tasks", "1.2"],
        ["x", "12"],
      ],
    ).split("\n"),
  ).toEqual([
    "| job        |  ms |",
    "| ---------- | --: |",
    "| GET /tasks | 1.2 |",
    "| x          |  12 |",
  ]);
});

const told = (isTTY: boolean, share: number): string => {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) };
  const progress = startProgress(stream, () => 0);
  progress.step("pull: round 1", share);
  progress.step("pull: round 2", share);
  progress.line("done");
  return written.join("");
};

describe("Progress", () => {
  test("is a bar on a terminal", () => {
    expect(bar(0.5)).toBe(`[${"#".repeat(12)}${".".repeat(12)}]`);
    expect(bar(-1)).toBe(`[${".".repeat(24)}]`);
    expect(told(true, 1)).toContain(`\r[${"#".repeat(24)}] pull: round 2\u001B[K`);
  });

  test("is plain lines elsewhere, not one for each round", () => {
    expect(told(false, 1)).toBe("pull: round 1\ndone\n");
  });
});

const minute = (at: number): Sample => {
  const times = { p50: 2, p99: at === 3 ? 90 : 10 };
  const kinds = { read: times, sync: times, write: { p50: 2, p99: 30 } };
  return {
    minute: at,
    requests: 9,
    failed: at === 1 ? 2 : 0,
    rss: at < 6 ? 50 + at : 60,
    wal: at,
    ...times,
    kinds,
  };
};

test("A soak is judged by the time after its first five minutes", () => {
  const samples = Array.from({ length: 15 }, (_, at) => minute(at + 1));
  const tails = { read: 5, sync: 5, write: 15 };
  expect(judge(samples)).toEqual({ growth: 0, wal: 15, tail: 5, tails, failed: 2 });
  const grown = samples.map((sample) => (sample.minute > 10 ? { ...sample, rss: 71 } : sample));
  expect(judge(grown).growth).toBe(11);
  expect(judge(samples.slice(0, 7)).growth).toBeNaN();
});

const small = (only: readonly string[]) => {
  const tasks = { tasks: 60, size: "large", keys: 2 } as const;
  return runBench({
    now: DOCKET,
    before: DOCKET,
    only,
    rounds: 1,
    ms: 60,
    progress: { step: () => {}, line: () => {} },
    folder: testDirectory(),
    desk: { ann: tasks, carol: tasks, dora: tasks },
  });
};

describe("The bench itself, small and from source", () => {
  test("compares jobs by processor time", async () => {
    const lines = (await small(["list-key", "push-new", "create"])).split("\n");
    const jobs = lines.filter((line) => line.includes(" /"));
    expect(jobs.map((line) => line.split("|")[1]?.trim())).toEqual([
      "GET /tasks, 50 rows, by key",
      "POST /sync, 500 new",
      "POST /tasks, 64 clients at once, by session",
    ]);
    for (const line of jobs) expect(Number(line.split("|")[4])).toBeGreaterThan(0);
  });

  test("refuses an unknown job and lists all", () => {
    expect(small(["lists"])).rejects.toThrow("There is no job lists, but list, list-key, task,");
  });
});
