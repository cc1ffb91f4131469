import { expect, test } from "bun:test";
import fc from "fast-check";
import { startDesk } from "../_desk.ts";
import { type History, histories, seed, times } from "../_histories.ts";
import { simulate } from "../_simulate.ts";
import { worldDirectory } from "../_worlds.ts";

const nextWorld = await startDesk(worldDirectory());
const counts = { children: 0, fields: 0 };
let played = 0;
const play = async (history: History) => {
  const world = nextWorld();
  played++;
  try {
    const outcome = await simulate(world, history);
    counts.children += outcome.counts.children;
    counts.fields += outcome.counts.fields;
    return outcome.apart;
  } finally {
    await world.end();
  }
};

test("calm", async () => {
  const t = performance.now();
  try {
  await fc.assert(fc.asyncProperty(histories("crashes", 30), async (history) => {
    expect(await play(history)).toEqual([]);
  }), { seed, numRuns: times(500), endOnFailure: false });
  } finally {
  console.log(played, counts, (performance.now()-t)/played, process.cpuUsage());
  }
}, 600_000);
