import { afterAll, describe, expect, test } from "bun:test";
import { FAULTS } from "./_faults.ts";
import { historyOf, type Options } from "./_history.ts";
import { type Finding, play } from "./_play.ts";
import { playScript } from "./_script.ts";
import { startInProcess } from "./_server.ts";
import { newStage } from "./_stage.ts";
import { FEATURES, type Feature } from "./_steps.ts";

// What is looked at here is what people did over HTTP, and what there is in the end: no work is lost. Nothing in this
// folder knows by which rules the server sees to that. `bun witness` plays as many histories as one likes.

/** With these something is still lost, for the reason that `FAULTS` lists under this number. */
const NOT_MENDED: Partial<Readonly<Record<Feature, string>>> = {
  deletions: "R1",
  moves: "R2",
  "fields over REST": "R3 and R4",
  restores: "R5",
  removals: "merged and R4",
  "device clocks": "R10",
};

/** The faults, by number, that the rules still have. */
const STILL_THERE: readonly string[] = ["R1", "R2", "R3", "R4", "R5", "R10", "kept", "merged"];

/** What never happens, with whatever features: for the others, see above. */
const NEVER: readonly Finding["kind"][] = ["apart", "doubled", "not quiet", "wrong author"];

const SEED = 20_260_304;

const stage = await newStage(startInProcess);
afterAll(stage.end);

const playAll = async (count: number, options: Options): Promise<readonly unknown[]> => {
  const found: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const history = historyOf(SEED + index, options);
    const { findings, log } = await stage.play((server, start) => play(server, history, start));
    if (findings.length > 0) found.push({ seed: history.seed, findings, log });
  }
  return found;
};

const USUAL = { seedOnly: "none", onCollision: "forget the reply", namesBase: true } as const;

describe("devices, agents and a person over HTTP, who know nothing of the rules", () => {
  test("lose nothing", async () => {
    const features = new Set(FEATURES.filter((feature) => !(feature in NOT_MENDED)));
    expect(await playAll(250, { ...USUAL, features })).toEqual([]);
  }, 120_000);

  test("end with what the server holds, whatever happens", async () => {
    const found = (await playAll(150, { ...USUAL, features: new Set(FEATURES) })) as readonly {
      readonly findings: readonly Finding[];
    }[];
    const kinds = found.flatMap(({ findings }) => findings.map(({ kind }) => kind));
    expect(kinds.filter((kind) => NEVER.includes(kind))).toEqual([]);
  }, 120_000);
});

describe("a known fault", () => {
  test.each(FAULTS.map((fault) => [`${fault.number}: ${fault.what}`, fault] as const))(
    "%s",
    async (_name, fault) => {
      const { findings } = await stage.play((server, start) => playScript(server, fault, start));
      expect(findings.length > 0).toBe(STILL_THERE.includes(fault.number));
    },
  );
});
