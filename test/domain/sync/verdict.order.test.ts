import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Change } from "../../../src/domain/sync/change.ts";
import { formatInstant, MINUTE } from "../../../src/domain/base/instant.ts";
import { judge } from "../../../src/domain/sync/proof.ts";
import { changeOf, contentOf, meet, meetAll } from "../../support/changes.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";

// Few different values, so that changes tie in every possible way.
const payloads = fc.constantFrom(
  {},
  { title: "a" },
  { title: "b" },
  { title: "a", status: "done" },
  { status: "done", title: "a" },
  { title: "a", pages: [{ id: "p", url: "u" }] },
  { pages: [{ url: "u", id: "p" }], title: "a" },
  { title: "a", pages: [] },
);
const stamps = fc.oneof(
  fc.integer({ min: NOON - 2, max: NOON + 2 }),
  fc.constantFrom(0, -1, NOON + 5 * MINUTE - 1, NOON + 5 * MINUTE),
);
const deletions = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.constantFrom(formatInstant(NOON - 1), formatInstant(NOON)) },
);
const anyChange = fc
  .tuple(stamps, payloads, deletions)
  .map(([updated, payload, deletedAt]) => changeOf(updated, payload, deletedAt));
const sets = fc.array(anyChange, { minLength: 1, maxLength: 8 });

/** Whether `one` would replace `other`. */
const beats = (one: Change, other: Change): boolean =>
  judge(meet(null, other), one, NOON).outcome === "applied";
const ties = (one: Change, other: Change): boolean =>
  judge(meet(null, other), one, NOON).outcome === "same";

test("Of any two versions one wins, unless they are equal", () => {
  fc.assert(
    fc.property(anyChange, anyChange, (one, other) => {
      const same = Bun.deepEquals(contentOf(meet(null, one)), contentOf(meet(null, other)), true);
      expect([ties(one, other), ties(other, one)]).toEqual([same, same]);
      expect(Number(beats(one, other)) + Number(beats(other, one))).toBe(same ? 0 : 1);
    }),
    cases(5_000),
  );
});

test("A version that beats the winner beats the loser", () => {
  fc.assert(
    fc.property(anyChange, anyChange, anyChange, (a, b, c) => {
      if (beats(a, b) && beats(b, c)) expect(beats(a, c)).toBe(true);
      if (ties(a, b) && beats(b, c)) expect(beats(a, c)).toBe(true);
    }),
    cases(10_000),
  );
});

test("Changes in any order, some repeated, end in the same version", () => {
  const shuffled = sets.chain((changes) =>
    fc.tuple(
      fc.constant(changes),
      fc
        .tuple(
          fc.shuffledSubarray(changes, { minLength: changes.length }),
          fc.array(fc.constantFrom(...changes), { maxLength: 8 }),
        )
        .chain(([all, again]) => {
          const both = [...all, ...again];
          return fc.shuffledSubarray(both, { minLength: both.length });
        }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([changes, again]) => {
      expect(contentOf(meetAll(again))).toEqual(contentOf(meetAll(changes)));
    }),
    cases(5_000),
  );
});

const winner = (changes: readonly Change[]): Change | undefined =>
  changes.reduce<Change | undefined>(
    (best, change) => (best === undefined || beats(change, best) ? change : best),
    undefined,
  );

test("Two devices' changes, merged separately and then together, end in the same version", () => {
  fc.assert(
    fc.property(sets, sets, sets, (a, b, c) => {
      const first = [winner([...a, ...b]), winner(c)].filter((change) => change !== undefined);
      const last = [winner(a), winner([...b, ...c])].filter((change) => change !== undefined);
      const all = contentOf(meetAll([...a, ...b, ...c]));
      expect(contentOf(meetAll(first))).toEqual(all);
      expect(contentOf(meetAll(last))).toEqual(all);
    }),
    cases(2_000),
  );
});

test("Whatever is stored, repeating the same change is a no-op, even a minute later", () => {
  fc.assert(
    fc.property(sets, anyChange, (changes, change) => {
      const stored = meet(meetAll(changes), change);
      for (const now of [NOON, NOON + MINUTE])
        expect(judge(stored, change, now).outcome).toBeOneOf(["same", "stale"]);
    }),
    cases(2_000),
  );
});
