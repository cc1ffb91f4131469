import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatInstant } from "../../src/instant.ts";
import { openStore } from "../../src/db/open.ts";
import { beforeAnswers, type Ledger } from "../_load.ts";
import { lostFrom } from "../_lost.ts";
import { rowsIn } from "../_process.ts";
import { type Chance, cut, perform } from "./_disk.ts";
import type { Recorded } from "./_run.ts";
import type { Deed } from "./_trace.ts";

type Random = (below: number) => number;

/** What a power cut does to the writes that were not synced yet. */
const LOSSES: Readonly<Record<string, (random: Random) => Chance>> = {
  "all of it lost": () => () => () => false,
  "none of it lost": () => () => () => true,
  "some writes lost": (random) => {
    const odds = 1 + random(7);
    return () => {
      const arrives = random(8) < odds;
      return () => arrives;
    };
  },
  "some sectors lost": (random) => {
    const odds = 1 + random(7);
    return () => () => random(8) < odds;
  },
};

export type Cuts = {
  /** Power cuts that were tried: points in time, each with one or more losses. */
  readonly tried: number;
  /** What was lost that must not be, with the cut that lost it. */
  readonly failures: readonly string[];
};

/**
 * Cuts the power after everything that was done to the files, and opens what is left as the program
 * does. `losses` says how many of the ways to lose are tried there.
 */
export const cutEverywhere = async (
  { disk: newDisk, deeds, ledger }: Recorded,
  place: string,
  random: Random,
  { honest = true, losses }: { honest?: boolean; losses: (deed: Deed) => number },
): Promise<Cuts> => {
  const disk = newDisk(honest);
  const answered = beforeAnswers(ledger);
  const failures: string[] = [];
  let tried = 0;
  for (const [index, deed] of deeds.entries()) {
    perform(disk, deed);
    if (deed.do === "reply") ledger.notes.get(deed.request)?.(answered);
    const kinds = Object.keys(LOSSES);
    for (let left = losses(deed); left > 0 && kinds.length > 0; left -= 1) {
      const [kind = ""] = kinds.splice(random(kinds.length), 1);
      const chance = LOSSES[kind]?.(random) ?? (() => () => false);
      const files = cut(disk, chance);
      const lost = await whatIsLost(place, files, answered);
      tried += 1;
      failures.push(...lost.map((what) => `cut ${index} (${nameOf(deed)}), ${kind}: ${what}`));
    }
  }
  return { tried, failures };
};

const nameOf = (deed: Deed): string => `${deed.do} ${"file" in deed ? deed.file : ""}`.trim();

/** Puts the files into a directory of their own and opens them as a server does. */
const whatIsLost = async (
  directory: string,
  files: ReadonlyMap<string, Uint8Array>,
  ledger: Ledger,
): Promise<readonly string[]> => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes);
  try {
    const store = openStore({ directory, role: "server", now: Date.now() });
    const lost = lostFrom(directory, rowsIn(directory), ledger);
    const start = formatInstant(store.clock.start);
    await store.close();
    return start < ledger.serverTime ? [...lost, `the clock starts at ${start}`] : lost;
  } catch (error) {
    return [String(error)];
  }
};
