import { describe, expect, test } from "bun:test";
import { testDirectory } from "../support/server.ts";
import { runBench } from "./_bench.ts";
import { chart } from "./_chart.ts";
import { bar, startProgress } from "./_progress.ts";
import { isReached, type Line, shown, table } from "./_report.ts";
import { judge, type Sample } from "./_samples.ts";
import { UNCOMPILED } from "./_servers.ts";
import { median, percentile, ratio } from "./_stats.ts";

const LINE: Line = {
  job: "list",
  what: "GET /tasks & more",
  unit: "requests/s",
  docket: 9_000,
  floor: 10_000,
  value: 0.9,
  low: 0.85,
  high: 0.95,
  goal: { at: "least", value: 0.9 },
  more: { docket_p50_ms: 1.5, docket_p99_ms: 4, docket_processor_us: 125, floor_processor_us: 100 },
};
const BLOCK: Line = {
  ...LINE,
  what: "block",
  unit: "ms",
  docket: 12.345,
  floor: null,
  value: 12.345,
  goal: { at: "most", value: 10 },
  more: {},
};
const MACHINE = { cpu: "<b>", cores: 2, system: "Linux 6", bun: "1.4.5", date: "2026-03-04T12:00" };

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

  test("a goal is reached at its exact number, and NaN never reaches it", () => {
    const goal = { at: "least", value: 0.9 } as const;
    const values = [0.899, 0.9, 0.91];
    expect(values.map((value) => isReached({ goal, value }))).toEqual([false, true, true]);
    const most = { at: "most", value: 0.9 } as const;
    expect(values.map((value) => isReached({ goal: most, value }))).toEqual([true, true, false]);
    expect(isReached({ goal: null, value: 1 })).toBeNull();
  });

  test("a number is shown with its significant digits", () => {
    const numbers = [12_345.6, 1_000, 12.345, 0.9, 0.12345, Number.NaN];
    expect(numbers.map(shown)).toEqual(["12,346", "1,000", "12.3", "0.9", "0.123", "-"]);
  });
});

test("The table shows which goals were reached", () => {
  expect(table([LINE, BLOCK]).split("\n")).toEqual([
    "| job               | Docket |  floor | unit       | ratio | spread       | by CPU | goal         |         | p50, p99 ms |",
    "| ----------------- | -----: | -----: | ---------- | ----: | ------------ | -----: | ------------ | ------- | ----------- |",
    "| GET /tasks & more |  9,000 | 10,000 | requests/s |   0.9 | 0.85 to 0.95 |    0.8 | at least 0.9 | reached | 1.5, 4      |",
    "| block             |   12.3 |        | ms         |       | 0.85 to 0.95 |        | at most 10   | MISSED  |             |",
  ]);
});

test("The chart is only a picture: no script, no address, and text is escaped", () => {
  const svg = chart([LINE, BLOCK, { ...LINE, what: "only known", goal: null }], MACHINE);
  expect(svg).toContain("GET /tasks &amp; more");
  expect(svg).toContain("&lt;b&gt;, 2 cores");
  expect(svg).not.toContain("only known");
  expect(svg.match(/class="(reached|missed)"/g)).toEqual(['class="reached"', 'class="missed"']);
  expect(svg).not.toMatch(/<script|href|on[a-z]+=|url\(/);
  expect(svg.replaceAll("http://www.w3.org/2000/svg", "")).not.toContain("://");
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
  const tasks = { tasks: 60, size: "large" } as const;
  return runBench({
    only,
    rounds: 1,
    ms: 60,
    progress: { step: () => {}, line: () => {} },
    programs: UNCOMPILED,
    folder: testDirectory(),
    desk: { ann: tasks, carol: tasks, dora: tasks },
  });
};

describe("The benchmark itself, small and from source", () => {
  test("measures two jobs, after comparing Docket's replies and rows with the floor's", async () => {
    const lines = await small(["list", "create"]);
    expect(lines.map(({ what, unit }) => [what, unit])).toEqual([
      ["GET /tasks, 50 rows", "requests/s"],
      ["GET /tasks, 50 rows, against the same stack", "requests/s"],
      ["POST /tasks, 64 clients at once", "requests/s"],
    ]);
    for (const { docket, floor, low, value, high } of lines) {
      expect(docket).toBeGreaterThan(0);
      expect(floor).toBeGreaterThan(0);
      expect(value).toBeGreaterThanOrEqual(low);
      expect(value).toBeLessThanOrEqual(high);
    }
  });

  test("refuses an unknown job and lists all", () => {
    expect(small(["lists"])).rejects.toThrow("There is no job lists, but list, task, me,");
  });
});
