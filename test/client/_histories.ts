import { historyOf } from "../model/witness/_history.ts";
import { play } from "../model/witness/_play.ts";
import { startInProcess } from "../model/witness/_server.ts";
import { newStage } from "../model/witness/_stage.ts";
import { FEATURES, type Feature } from "../model/witness/_steps.ts";
import { playHistory } from "./_history.ts";

// Plays many histories, and prints what was found: bun test/client/_histories.ts [FIRST] [COUNT] [FEATURES] [model]
// With "model", the second model's own device plays the same seeds, to compare.

const [first = "1", count = "100", features = "", who = ""] = process.argv.slice(2);
const on = new Set(features === "" ? FEATURES : (features.split(",") as Feature[]));
const stage = await newStage(startInProcess);
const kinds = new Map<string, number>();
const began = performance.now();
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const history = historyOf(seed, {
    features: on,
    seedOnly: "none",
    onCollision: "forget the reply",
    namesBase: true,
  });
  const { findings, log } =
    who === "model"
      ? await stage.play(async (server, start) => {
          const outcome = await play(server, history, start);
          return {
            ...outcome,
            findings: outcome.findings.map(({ kind, words }) => `${kind}: ${words}`),
          };
        })
      : await stage.play((server, start) => playHistory(server, history, start));
  for (const finding of findings) {
    const kind = finding.split(":")[0] ?? "";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  if (findings.length > 0)
    process.stdout.write(
      `${seed}: ${findings.join(" | ")}\n${who === "model" ? "" : log.map((line) => `    ${line}\n`).join("")}`,
    );
}
await stage.end();
const ms = Math.round((performance.now() - began) / Number(count));
process.stdout.write(
  `${count} histories from ${first}, ${ms} ms each: ${JSON.stringify([...kinds])}\n`,
);
