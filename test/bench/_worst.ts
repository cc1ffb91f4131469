import { dice } from "../support/random.ts";
import { anyGenes, CALL_NAMES, type CallName, type Dice, type Genes, mutate } from "./_genes.ts";
import { median } from "./_stats.ts";
import type { Waited } from "./_waiting.ts";
import { startPlace } from "./_worst-place.ts";

// A search by program for the legal call that makes others wait longest.

/** A call that was tried, and the longest that anyone else waited, in ms. */
export type Tried = { readonly genes: Genes; readonly waited: number; readonly status: number };

/** A call that was tried several times: the longest of all waits, and the median of the tries. */
export type Ranked = Tried & {
  readonly longest: number;
  readonly median: number;
  readonly took: number;
};

export type Search = {
  readonly program: readonly string[];
  readonly folder: string;
  readonly seed: number;
  /** In ms. */
  readonly time: number;
  /** A part of the names of the calls that are tried. */
  readonly only: string;
  readonly report: (line: string) => void;
};

/** The part of the time in which the search looks for calls. In the rest, it tries the worst again. */
const LOOKING = 0.6;
const FOUND = 10;
const [FEWEST_ROUNDS, MOST_ROUNDS] = [3, 9];

/** Searches. Returns the ten worst distinct calls, with the worst first, and the waits while nothing was asked. */
export const searchWorst = async (search: Search) => {
  const began = performance.now();
  const isTime = (share: number): boolean => performance.now() - began < search.time * share;
  const place = await startPlace(search.program, search.folder);
  search.report("ann's world is made.");
  try {
    const { found, tries } = await look(search, place, () => isTime(LOOKING));
    return { tries, ...(await repeat(found, place, () => isTime(1))) };
  } finally {
    await place.end();
  }
};

type Place = Awaited<ReturnType<typeof startPlace>>;

const look = async ({ seed, only, report }: Search, place: Place, isTime: () => boolean) => {
  const roll = dice(seed);
  const names = CALL_NAMES.filter((name) => name.includes(only));
  const best = new Map<string, Tried>();
  let tries = 0;
  for (; isTime(); tries += 1) {
    const genes = nextGenes(roll, names, tries, worstFirst([...best.values()]));
    const attempted = await place.attempt(genes);
    const waited = worstOf(attempted);
    const kind = kindOf(genes);
    if (waited <= (best.get(kind)?.waited ?? 0)) continue;
    best.set(kind, { genes, waited, status: attempted.status });
    report(`${tries + 1}: ${waited.toFixed(0)} ms, ${attempted.status}: ${kind}`);
  }
  return { tries, found: worstFirst([...best.values()]).slice(0, FOUND) };
};

/** Tries each again and again, and between them nothing: the machine may be busy with other work. */
const repeat = async (found: readonly Tried[], place: Place, isTime: () => boolean) => {
  const tried = found.map(() => [] as Waited[]);
  const floor: number[] = [];
  while (floor.length < FEWEST_ROUNDS || (isTime() && floor.length < MOST_ROUNDS)) {
    for (const [at, { genes }] of found.entries()) tried[at]?.push(await place.attempt(genes));
    floor.push(worstOf(await place.rest()));
  }
  const worst = found.map((one, at) => rank(one, tried[at] ?? []));
  return { floor, worst: worst.toSorted((a, b) => b.median - a.median) };
};

const rank = (one: Tried, again: readonly Waited[]): Ranked => {
  const waits = again.map(worstOf);
  const took = median(again.map((each) => each.took));
  return { ...one, longest: Math.max(...waits), median: median(waits), took };
};

const worstOf = ({ health, list }: Pick<Waited, "health" | "list">): number =>
  Math.max(health, list);

const worstFirst = (tried: readonly Tried[]): readonly Tried[] =>
  tried.toSorted((a, b) => b.waited - a.waited);

/** Calls of one kind are not distinct: of each, only the worst counts. */
export const kindOf = ({ call, shape, content, ids, table, deleted }: Genes): string => {
  if (call === "push")
    return `${call}, ${shape}, ${table}${table === "sync_tasks" ? ` (${ids})` : ""}${deleted ? ", deleted" : ""}`;
  if (call === "find" || call === "mcp: find_tasks") return `${call}, ${content}`;
  return call.endsWith("anything") ? `${call}, ${shape}` : call;
};

/** Each call twice, then changes of the worst so far, and now and then something else. */
const nextGenes = (
  roll: Dice,
  names: readonly CallName[],
  tries: number,
  best: readonly Tried[],
): Genes => {
  const isFirst = tries < names.length * 2;
  const call = names[isFirst ? tries % names.length : roll(names.length)];
  const parent = best[Math.min(roll(FOUND), roll(FOUND), best.length - 1)];
  return isFirst || !parent || roll(4) === 0
    ? { ...anyGenes(roll), ...(call ? { call } : {}) }
    : mutate(roll, parent.genes);
};
