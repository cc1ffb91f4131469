import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { startDesk } from "../support/desk.ts";
import { type Fortune, type History, histories, seed, times } from "../support/histories.ts";
import { simulate } from "../support/simulate.ts";
import { worldDirectory } from "../support/worlds.ts";
import type { World } from "../support/world.ts";

// What sync promises (I1 to I17), and which test checks it. Paths are below test/.
//  I1  No device misses anything: here, at the end of every history; over sockets in sync/http.test.ts.
//  I2  server_time never goes back: support/network.ts.
//  I3  What is committed comes after every server_time issued before: model/_check.ts.
//  I4  Stamps are below the mark, and the mark is below the lease: db/records/clock.random.test.ts.
//  I5  A pull brings a record once, and the right ones: support/network.ts, sync/laws.test.ts.
//  I6  Who wins does not depend on order: domain/sync/verdict.order.test.ts.
//  I7  The same changes end in the same rows: sync/laws.test.ts.
//  I8  A repeated push changes nothing, at once or later: support/network.ts, sync/laws.test.ts.
//  I9  Equal content is no conflict: model/_check.ts.
//  I10 A rejected record comes with the row that a pull returns: model/_check.ts.
//  I11 A push is applied completely or not at all: sync/laws.test.ts, crash/kill.test.ts.
//  I12 What was confirmed is there after a crash: here, crash/, faults/power.test.ts.
//  I13 Columns agree with the payload: db/records/projection.test.ts.
//  I14 What only the extension knows survives: here (model/_model.ts), db/records/edits.test.ts.
//  I15 A reply that is cut off is never valid JSON: http/stream.test.ts.
//  I16 Nobody gets another account's records: sync/laws.test.ts, http/tenancy.test.ts.
//  I17 What is written after a restore is seen: model/witness, db/sqlite/files/backup.test.ts.

const root = worldDirectory();
const nextAtDesk = await startDesk(root);

const playAll = async (
  next: () => World,
  [fortune, longest]: readonly [Fortune, number],
  numRuns: number,
): Promise<void> => {
  const play = async (history: History): Promise<void> => {
    const world = next();
    try {
      expect(await simulate(world, history)).toEqual([]);
    } finally {
      await world.end();
    }
  };
  await fc.assert(fc.asyncProperty(histories(fortune, longest), play), { seed, numRuns });
};

describe("Two or three devices, two agents, a person, a bad network and wrong clocks", () => {
  test.each([
    ["many short histories", 14_400, 10],
    ["fewer, longer histories", 4_400, 20],
    ["some long histories", 600, 50],
  ] as const)(
    "end by the rules, even if the server crashes: %s",
    (_name, count, longest) => playAll(nextAtDesk, ["crashes", longest], times(count)),
    300_000 * times(1),
  );

  test(
    "end with the later writes, byte for byte, if nobody writes over REST",
    () => playAll(nextAtDesk, ["devices only", 24], times(2_000)),
    300_000 * times(1),
  );
});
