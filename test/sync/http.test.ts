import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { type History, history, seed, times } from "../_histories.ts";
import { startHttpWorld } from "../_http_worlds.ts";
import { simulate } from "../_simulate.ts";
import { worldDirectory } from "../_worlds.ts";

const root = worldDirectory();
let worlds = 0;

const play = async (played: History): Promise<readonly string[]> => {
  const world = await startHttpWorld(join(root, String((worlds += 1))));
  try {
    return await simulate(world, played, "server_time");
  } finally {
    await world.end();
  }
};

describe("over real sockets", () => {
  test(
    "devices that echo server_time end with exactly what the server holds",
    async () => {
      const converges = fc.asyncProperty(history, async (played) => {
        expect(await play(played)).toEqual([]);
      });
      await fc.assert(converges, { seed, numRuns: times(120) });
    },
    120_000 * times(1),
  );
});
