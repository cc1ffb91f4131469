import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { openStore } from "../../../src/db/open.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { cases, times } from "../../support/random.ts";
import { NOON, testDirectory } from "../../support/server.ts";
import { accountFor } from "../../support/db/store.ts";
import { type Act, openWorld, type Step } from "../../support/db/worlds.ts";

const template = testDirectory();

beforeAll(async () => {
  const store = await openStore({ directory: template, role: "server", now: NOON });
  for (const name of ["ann", "bob"]) await accountFor(store, `${name}@example.org`);
  await store.close();
});

const who = fc.integer({ min: 0, max: 1 });
const tasks = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pull" as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("push" as const), who, tasks }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("visitor's push" as const), who, tasks }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("folder" as const, "list" as const), who }),
  },
);
const jumps = fc.oneof(
  fc.constantFrom(-1, 1, SECOND, -SECOND, 10 * SECOND, -10 * SECOND, MINUTE, -MINUTE),
  fc.constantFrom(HOUR, -HOUR, DAY, -DAY),
  fc.integer({ min: -15 * SECOND, max: 15 * SECOND }),
);
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: acts },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("all at once" as const),
      acts: fc.array(acts, { minLength: 2, maxLength: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: jumps }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: "crash" }, { do: "restart" }) },
);
const histories = fc.array(steps, { minLength: 5, maxLength: 25 });

/**
 * Checks any history of pushes, pulls, REST writes, writes by another process, crashes, restarts and a
 * jumping wall clock: `server_time` never goes back; nothing is committed at or below one that was given out;
 * no stamp is above the high-water mark, and that is not above the lease; and a device that asks for what
 * came after its last pull has everything in the end.
 */
test("The clock keeps its guarantees in any history", async () => {
  let played = 0;
  const keepsItsWord = async (history: readonly Step[]): Promise<void> => {
    const world = await openWorld(template);
    try {
      for (const step of history) await world.play(step);
      played += history.length;
    } finally {
      expect(await world.end()).toEqual([]);
    }
  };
  await fc.assert(fc.asyncProperty(histories, keepsItsWord), cases(130));
  expect(played).toBeGreaterThan(times(130) * 8);
});
