import type { Address } from "./address.ts";
import { type Bench, startBench } from "./bench.ts";
import { Broken, Skipped } from "./faults.ts";
import type { Check } from "./check.ts";
import { CHECKS } from "./checks.ts";
import { cleanUp } from "./cleanup.ts";
import { callerOf, type Tokens, type Who } from "./client.ts";

export type Result = {
  readonly result: "failed" | "passed" | "skipped";
  readonly area: string;
  readonly check: string;
  readonly why: string | null;
};

export type Report = {
  readonly results: readonly Result[];
  /** What could not be deleted. */
  readonly left: readonly string[];
};

export type SelfTest = {
  readonly address: Address;
  readonly tokens: Tokens;
  /** In everything that this run makes. */
  readonly mark: string;
  /** Tells the person that it waits. */
  readonly say: (line: string) => void;
  /** Whether the person wants to stop. What was made is deleted all the same. */
  readonly isStopped: () => boolean;
};

/** Runs all checks, one after the other, and deletes what they made. Never throws because of what a server does. */
export const selfTest = async (test: SelfTest): Promise<Report> => {
  const call = callerOf(test.address, test.tokens, test.say);
  const has = (who: Who): boolean => test.tokens[who] !== undefined;
  const bench = await startBench(call, has, test.mark).catch((error: unknown) => error);
  if (bench instanceof Error) return { results: [failure(FIRST, bench)], left: [] };
  const results: Result[] = [];
  for (const check of CHECKS)
    results.push(test.isStopped() ? skipped(check, "Stopped.") : await run(check, bench as Bench));
  return { results, left: await cleanUp(bench as Bench) };
};

const FIRST = { area: "sync", rule: "GET /sync answers a session with its changes" };

const VARIABLES: Readonly<Partial<Record<Who, string>>> = {
  key: "DOCKET_API_KEY is not set.",
  reader: "DOCKET_READ_KEY is not set.",
  writer: "DOCKET_WRITE_KEY is not set.",
};

const run = async (check: Check, bench: Bench): Promise<Result> => {
  const missing = check.needs.find((who) => !bench.has(who));
  if (missing !== undefined) return skipped(check, VARIABLES[missing] ?? "");
  try {
    await check.run(bench);
    return { result: "passed", area: check.area, check: check.rule, why: null };
  } catch (error) {
    if (error instanceof Skipped) return skipped(check, error.message);
    return failure(check, error as Error);
  }
};

type Named = Pick<Check, "area" | "rule">;

const skipped = ({ area, rule }: Named, why: string): Result => ({
  result: "skipped",
  area,
  check: rule,
  why,
});

/** Anything but `Broken` is a fault of the check, and shows where. */
const failure = ({ area, rule }: Named, error: Error): Result => ({
  result: "failed",
  area,
  check: rule,
  why: error instanceof Broken ? error.message : (error.stack ?? error.message),
});
