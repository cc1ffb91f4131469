import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { openStore } from "../../../src/db/open.ts";
import { beforeAnswers, type Ledger } from "../load.ts";
import { lostFrom } from "../lost.ts";
import { rowsIn } from "../process.ts";
import { type Chance, cut, everything, perform } from "./disk.ts";
import type { Recorded } from "./run.ts";
import type { Step } from "./trace.ts";

type Random = (below: number) => number;

/** What a power cut does to writes that were not synced yet. */
const LOSSES: readonly (readonly [name: string, chance: (random: Random) => Chance])[] = [
  ["all of it lost", () => () => () => false],
  ["none of it lost", () => everything],
  [
    "some writes lost",
    (random) => {
      const odds = 1 + random(7);
      return () => {
        const arrives = random(8) < odds;
        return () => arrives;
      };
    },
  ],
  [
    "some sectors lost",
    (random) => {
      const odds = 1 + random(7);
      return () => () => random(8) < odds;
    },
  ],
];

export type Cuts = {
  /** How many power cuts were tried: points in time, each with one or more losses. */
  readonly tried: number;
  /** Losses that must not happen, each with the cut that caused it. */
  readonly failures: readonly string[];
};

export type CutOptions = {
  /** The directory for the files of each cut. */
  readonly place: string;
  readonly random: Random;
  /** How many kinds of loss to try after a step. */
  readonly losses: (step: Step) => number;
  /** What else the files lack, apart from confirmed writes. */
  readonly alsoLost?: (directory: string) => readonly string[];
  /** False for a disk that only pretends to sync. */
  readonly honest?: boolean;
};

/**
 * Cuts the power after every change to the files, and opens the remaining data as the program would.
 */
export const cutEverywhere = async (
  { disk: newDisk, steps, ledger }: Recorded,
  { place, random, losses, alsoLost = () => [], honest = true }: CutOptions,
): Promise<Cuts> => {
  const disk = newDisk(honest);
  const answered = beforeAnswers(ledger);
  const failures: string[] = [];
  let tried = 0;
  for (const [index, step] of steps.entries()) {
    perform(disk, step);
    if (step.do === "reply") ledger.notes.get(step.request)?.(answered);
    for (const [loss, chance] of pick(losses(step), random)) {
      writeFiles(place, cut(disk, chance(random)));
      const lost = await whatIsLost(place, answered, alsoLost);
      tried += 1;
      failures.push(...lost.map((what) => `cut ${index} (${nameOf(step)}), ${loss}: ${what}`));
    }
  }
  return { tried, failures };
};

/** Picks `count` losses. Each kind comes once before any comes a second time. */
const pick = (count: number, random: Random) => {
  const left: (typeof LOSSES)[number][] = [];
  return Array.from({ length: count }, () => {
    if (left.length === 0) left.push(...LOSSES);
    return left.splice(random(left.length), 1);
  }).flat();
};

const nameOf = (step: Step): string => `${step.do} ${"file" in step ? step.file : ""}`.trim();

const writeFiles = (directory: string, files: ReadonlyMap<string, Uint8Array>): void => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  for (const [name, bytes] of files) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes);
  }
};

/** Opens the files as a server does. Returns what is lost. */
const whatIsLost = async (
  directory: string,
  ledger: Ledger,
  alsoLost: (directory: string) => readonly string[],
): Promise<readonly string[]> => {
  try {
    const store = await openStore({ directory, role: "server", now: Date.now() });
    const start = formatInstant(store.clock.start);
    const lost = [
      ...lostFrom(directory, rowsIn(directory), ledger),
      ...alsoLost(directory),
      ...(start < ledger.serverTime ? [`the clock starts at ${start}`] : []),
    ];
    await store.close();
    return lost;
  } catch (error) {
    return [String(error)];
  }
};
