import { afterAll, describe, expect, test } from "bun:test";
import { seed, times } from "../../support/random.ts";
import { FAULTS } from "./faults.ts";
import { historyOf, type Options } from "./history.ts";
import { type Finding, play } from "./play.ts";
import { playScript } from "./script.ts";
import { startInProcess } from "./server.ts";
import { newStage } from "./stage.ts";
import { FEATURES, type Feature } from "./steps.ts";

// What is looked at here is what people did over HTTP, and what there is in the end: no work is lost. Nothing in this
// folder knows by which rules the server sees to that. `bun witness` plays as many histories as one likes.

/** What never happens, however little devices know. */
const NEVER: readonly Finding["kind"][] = ["apart", "doubled", "not quiet", "wrong author"];

const stage = await newStage(startInProcess);
afterAll(stage.end);

const playAll = async (count: number, options: Options): Promise<readonly unknown[]> => {
  const found: unknown[] = [];
  for (let index = 0; index < times(count); index += 1) {
    const history = historyOf(seed + index, options);
    const { findings, log } = await stage.play((server, start) => play(server, history, start));
    if (findings.length > 0) found.push({ seed: history.seed, findings, log });
  }
  return found;
};

const USUAL = {
  seedOnly: "none",
  onCollision: "forget the reply",
  names: "base",
  resends: true,
} as const;

const UNRESTORED = new Set(FEATURES.filter((feature) => feature !== "restores"));
const FEW: readonly Feature[] = ["lost replies", "moves", "deletions", "fields over REST"];

describe("devices, agents and a person over HTTP, who know nothing of the rules", () => {
  test("lose nothing, whatever happens", async () => {
    const features = new Set(FEATURES);
    expect(await playAll(60, { ...USUAL, features })).toEqual([]);
    expect(await playAll(30, { ...USUAL, features, names: "rev" })).toEqual([]);
  });

  test("lose nothing in histories in which everything happens", async () => {
    const features = new Set(FEATURES);
    expect(await playAll(24, { ...USUAL, features, every: true })).toEqual([]);
  });

  test("end with what the server holds, even if devices know less", async () => {
    const plain = { ...USUAL, features: new Set(FEATURES), names: "nothing" } as const;
    const found = [
      ...(await playAll(24, plain)),
      // Those that know only the specification do not notice a restore.
      ...(await playAll(24, { ...plain, seedOnly: "all", features: UNRESTORED })),
      ...(await playAll(24, { ...plain, onCollision: "keep the edit" })),
    ] as readonly { readonly findings: readonly Finding[] }[];
    const kinds = found.flatMap(({ findings }) => findings.map(({ kind }) => kind));
    expect(kinds.filter((kind) => NEVER.includes(kind))).toEqual([]);
  });

  test("lose nothing if they name no versions, as long as clocks are right and nothing is restored", async () => {
    const options = { ...USUAL, features: new Set(FEW), names: "nothing" } as const;
    expect(await playAll(40, options)).toEqual([]);
  });
});

describe("a fault that there was", () => {
  test.each(FAULTS.map((fault) => [`${fault.number}: ${fault.what}`, fault] as const))(
    "%s",
    async (_name, fault) => {
      const { findings } = await stage.play((server, start) => playScript(server, fault, start));
      expect(findings).toEqual([]);
    },
  );
});
