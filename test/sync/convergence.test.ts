import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MINUTE } from "../../src/instant.ts";
import type { Temperament } from "../_client.ts";
import { type History, history, seed, times } from "../_histories.ts";
import { simulate } from "../_simulate.ts";
import { startStoreWorlds, worldDirectory } from "../_worlds.ts";

const nextWorld = await startStoreWorlds(worldDirectory());

/** Where the devices and the server do not agree when all is quiet again. */
const play = async (played: History, temperament: Temperament): Promise<readonly string[]> => {
  const world = nextWorld();
  try {
    return await simulate(world, played, temperament);
  } finally {
    await world.end();
  }
};

describe("two devices, an agent, a bad network and a server that is not spared", () => {
  test(
    "devices that echo server_time end with exactly what the server holds",
    async () => {
      const converges = fc.asyncProperty(history, async (played) => {
        expect(await play(played, "server_time")).toEqual([]);
      });
      await fc.assert(converges, { seed, numRuns: times(1_200) });
    },
    120_000 * times(1),
  );

  const CALM = { fate: "answered", limit: null, meanwhile: null } as const;

  const mistakes: readonly { readonly temperament: Temperament; readonly says: string }[] = [
    { temperament: "updated_at", says: "sends the greatest updated_at it holds" },
    { temperament: "own clock", says: "sends its own clock" },
  ];

  test.each(mistakes)(
    "a device that is minutes fast and $says misses what an agent filed",
    async ({ temperament }) => {
      const missed: History = {
        skews: [4 * MINUTE, 0],
        steps: [
          { do: "edit", device: 0, table: "sync_tasks", pick: 0, deleted: false },
          { do: "pull", device: 0, ...CALM },
          { do: "agent", act: "task", pick: 0 },
        ],
        pause: 5 * MINUTE,
      };
      expect(await play(missed, "server_time")).toEqual([]);
      expect(await play(missed, temperament)).toEqual([
        expect.stringMatching(/^device 0 has undefined, the server \{.*"title":"agent 2"/),
      ]);
    },
  );

  test.each(mistakes)(
    "in some histories a device that $says is left behind",
    async ({ temperament }) => {
      let leftBehind = 0;
      for (const played of fc.sample(history, { seed, numRuns: times(150) }))
        if ((await play(played, temperament)).length > 0) leftBehind += 1;
      expect(leftBehind).toBeGreaterThan(0);
    },
    30_000 * times(1),
  );
});
