import { type History, historyOf } from "../model/witness/history.ts";
import { play } from "../model/witness/play.ts";
import { startInProcess } from "../model/witness/server.ts";
import { shrink } from "../model/witness/shrink.ts";
import { newStage } from "../model/witness/stage.ts";
import { type Feature } from "../model/witness/steps.ts";
import { CORE_FEATURES, type Outcome, playHistory } from "../support/client/history.ts";

// Plays many histories, and prints the shortest script for each in which something was found:
// bun test/client/histories.ts [FIRST] [COUNT] [FEATURES] [model]
// With "model", the second model's own device plays the same seeds, to compare.

const [first = "1", count = "100", features = "", who = ""] = process.argv.slice(2);
const on = new Set(features === "" ? CORE_FEATURES : (features.split(",") as Feature[]));
const stage = await newStage(startInProcess);

const playOne = (history: History): Promise<Outcome> =>
  who === "model"
    ? stage.play(async (server, start) => {
        const { findings, log } = await play(server, history, start);
        return { findings: findings.map(({ kind, words }) => `${kind}: ${words}`), log };
      })
    : stage.play((server, start) => playHistory(server, history, start));

const kindOf = (finding: string): string => finding.split(":")[0] ?? "";

const show = async (history: History, kind: string): Promise<void> => {
  const shortest = await shrink(history, async (next) =>
    (await playOne(next)).findings.some((finding) => kindOf(finding) === kind),
  );
  const { findings, log } = await playOne(shortest);
  const clocks = [...shortest.devices].map(([name, { skew }]) => `${name} ${skew / 1_000} s`);
  const lines = [
    `${history.seed}: ${findings.join(" | ")}`,
    `Clocks: ${clocks.join(", ")}`,
    ...log,
  ];
  process.stdout.write(`${lines.join("\n    ")}\n`);
};

const kinds = new Map<string, number>();
let playing = 0;
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const history = historyOf(seed, {
    features: on,
    seedOnly: "none",
    onCollision: "forget the reply",
    names: "base",
    resends: true,
  });
  const began = performance.now();
  const { findings } = await playOne(history);
  playing += performance.now() - began;
  for (const finding of findings) kinds.set(kindOf(finding), (kinds.get(kindOf(finding)) ?? 0) + 1);
  const [worst] = findings;
  if (worst !== undefined) await show(history, kindOf(worst));
}
await stage.end();
const ms = Math.round(playing / Number(count));
process.stdout.write(
  `${count} histories from ${first}, ${ms} ms each: ${JSON.stringify([...kinds])}\n`,
);
// Clients that crashed go on trying, for their clock stands still.
process.exit();
