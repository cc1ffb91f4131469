import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { startDesk } from "../support/desk.ts";
import { type Fortune, type History, histories, seed, times } from "../support/histories.ts";
import { simulate } from "../support/simulate.ts";
import { startStoreWorlds, worldDirectory } from "../support/worlds.ts";
import type { World } from "../support/world.ts";

// What sync promises (I1 to I17), and where each is held.
//  I1  no device misses anything: here, in the end of every history, and over sockets in http.test.ts.
//  I2  server_time never goes back: _network.ts. I3 what is committed comes after it: model/_check.ts.
//  I4  stamps lie below the mark, the mark below the lease: test/db/clock.random.test.ts.
//  I5  a pull brings a record once, and what it should: _network.ts, laws.test.ts.
//  I6, I7 who wins does not depend on order: test/verdict.order.test.ts, laws.test.ts.
//  I8  a push again changes nothing, at once and after others: _network.ts, laws.test.ts.
//  I9, I10 equal content is no conflict; a rejected record's row is the one a pull gives: model/_check.ts.
//  I11 a push is done whole or not at all: laws.test.ts, test/crash/kill.test.ts.
//  I12 what was answered is there after a crash: here, test/crash, test/faults/power.test.ts.
//  I13 columns say what the payload says: test/db/projection.test.ts.
//  I14 what only the extension knows survives: here (model/_model.ts), test/db/edits.test.ts.
//  I15 what is cut off is never JSON: test/http/stream.test.ts.
//  I16 nobody's records reach another: laws.test.ts, test/http/tenancy.test.ts.
//  I17 what is written after a restore is seen: here, where there are backups; test/db/backup.test.ts.

const root = worldDirectory();
const nextAtDesk = await startDesk(root);
const nextWithFiles = await startStoreWorlds(root);

/** Plays so many histories, and returns how often what can be known of a device was not enough. */
const playAll = async (
  next: () => World,
  [fortune, longest]: readonly [Fortune, number],
  numRuns: number,
): Promise<number> => {
  let losses = 0;
  const play = async (history: History): Promise<void> => {
    const world = next();
    try {
      const outcome = await simulate(world, history);
      expect(outcome.apart).toEqual([]);
      losses += outcome.losses.children + outcome.losses.fields;
    } finally {
      await world.end();
    }
  };
  await fc.assert(fc.asyncProperty(histories(fortune, longest), play), { seed, numRuns });
  return losses;
};

describe("two or three devices, two agents, a person, a bad network and wrong clocks", () => {
  test.each([
    ["many short lives", 14_400, 10],
    ["fewer longer ones", 4_400, 20],
    ["some long ones", 600, 50],
  ] as const)(
    "end as the contract says, though the server crashes: %s",
    async (_name, count, longest) => {
      const numRuns = times(count);
      const losses = await playAll(nextAtDesk, ["crashes", longest], numRuns);
      // A wrong clock, or an edit upon an edit over a pull: then a device is taken to know what it does not.
      expect(losses).toBeLessThan(numRuns / 50);
    },
    300_000 * times(1),
  );

  test(
    "end as the contract says, though the server is killed, and set back to a backup",
    async () => {
      const losses = await playAll(nextWithFiles, ["backups", 24], times(600));
      expect(losses).toBeLessThan(times(600) / 50);
    },
    300_000 * times(1),
  );
});
