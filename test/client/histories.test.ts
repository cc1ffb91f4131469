import { afterAll, expect, test } from "bun:test";
import { historyOf } from "../model/witness/history.ts";
import { startInProcess } from "../model/witness/server.ts";
import { newStage } from "../model/witness/stage.ts";
import { times } from "../support/random.ts";
import { type Feature } from "../model/witness/steps.ts";
import { CORE_FEATURES, playHistory } from "../support/client/history.ts";

// The web app's core as the devices of random histories. `histories.ts` plays as many as you like.

const stage = await newStage(startInProcess);
afterAll(() => stage.end());

const findingsOf = async (
  seed: number,
  features: readonly Feature[],
): Promise<readonly string[]> => {
  const history = historyOf(seed, {
    features: new Set(features),
    seedOnly: "none",
    onCollision: "forget the reply",
    names: "base",
    resends: true,
  });
  const { findings } = await stage.play((server, start) => playHistory(server, history, start));
  return findings.map((finding) => `${seed}: ${finding}`);
};

const COUNT = times(20);

const findings = async (
  first: number,
  features: readonly Feature[],
): Promise<readonly string[]> => {
  const all: string[] = [];
  for (let seed = first; seed < first + COUNT; seed += 1)
    all.push(...(await findingsOf(seed, features)));
  return all;
};

test("lost replies, edits in flight, crashes of the program and wrong clocks lose nothing", async () => {
  const features = ["reorders", "lost replies", "in flight", "repeats", "device clocks"] as const;
  expect(await findings(1, features)).toEqual([]);
});

test("kills of the server, and a server's clock that is wrong, lose nothing", async () => {
  const features = ["lost replies", "in flight", "repeats", "crashes", "server clock"] as const;
  expect(await findings(5_100, features)).toEqual([]);
});

test("whatever happens, all devices end with what the server holds", async () => {
  // What the server's own rules lose, or bring back, is for the tests of the server.
  const found = await findings(1, CORE_FEATURES);
  expect(found.filter((finding) => !/^\d+: (?:back|lost): /.test(finding))).toEqual([]);
});

/** Each of these once lost something, or brought something back. */
const ONCE_WRONG = [
  112, 173, 492, 665, 900_660, 1_119, 1_306, 1_673, 10_186, 10_277, 10_302, 21_830, 22_450,
  1_001_192, 1_001_428, 1_002_057, 1_002_072, 1_002_357, 1_001_934, 1_003_842, 1_007_843, 1_009_809,
  1_050_530, 1_051_244, 1_051_301, 1_051_666, 1_052_575, 1_053_292, 1_053_369, 1_056_633,
  95_008_149, 95_008_332,
];

test("histories that once went wrong lose nothing", async () => {
  for (const seed of ONCE_WRONG) expect(await findingsOf(seed, CORE_FEATURES)).toEqual([]);
});
