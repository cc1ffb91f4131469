import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { type History, histories, seed, times } from "../support/histories.ts";
import { startHttpWorld } from "../support/http-worlds.ts";
import { simulate } from "../support/simulate.ts";
import { worldDirectory } from "../support/worlds.ts";
import type { World } from "../support/world.ts";

const root = worldDirectory();
let worlds = 0;

const play = async (
  history: History,
  seen: (world: World) => World,
): Promise<readonly string[]> => {
  const world = await startHttpWorld(join(root, String((worlds += 1))));
  try {
    return await simulate(seen(world), history);
  } finally {
    await world.end();
  }
};

const playAll = (numRuns: number, one: (history: History) => Promise<readonly string[]>) =>
  fc.assert(
    fc.asyncProperty(histories("backups", 30), async (history) => {
      expect(await one(history)).toEqual([]);
    }),
    { seed, numRuns },
  );

describe("Over real sockets", () => {
  test(
    "devices that send server_time back end with exactly what the server holds, whatever is written during pulls",
    () => playAll(times(80), (history) => play(history, (world) => ({ ...world, inside: null }))),
    120_000 * times(1),
  );

  test(
    "every reply is the one that the rules give",
    () => playAll(times(60), (history) => play(oneAfterAnother(history), (world) => world)),
    120_000 * times(1),
  );
});

/**
 * The same steps without two requests at once, because nobody can say which of them the server
 * handled first.
 */
const oneAfterAnother = ({ steps, ...history }: History): History => ({
  ...history,
  steps: steps.map((step) => (step.do === "pull" ? { ...step, meanwhile: null } : step)),
});
