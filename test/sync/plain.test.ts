import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatInstant, HOUR, MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { keyOf, type Row, rowsOf, type Wire } from "../support/client.ts";
import { newcomer, sharedServer } from "../support/replies.ts";
import { cases, times } from "../support/random.ts";
import { NOON } from "../support/server.ts";
import { httpWire } from "../support/wire.ts";
import { arrive, type Standing, versionOf } from "../support/sync/lww.ts";

const server = await sharedServer();

// Few ids, stamps and contents, so that they collide in every way. Some stamps are too far ahead to
// be honest.
const updated_at = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -2, max: 2 }) },
      { weight: 1, arbitrary: fc.constantFrom(299_999, 300_000, 300_001, HOUR, HOUR + 1) },
    ),
    fc.boolean(),
  )
  .map(([ms, abroad]) =>
    abroad
      ? formatInstant(NOON + HOUR + ms).replace("Z", "+01:00")
      : formatInstant(NOON + ms).replace(/\.000Z$/, "Z"),
  );

const change: fc.Arbitrary<Row> = fc.record({
  table: fc.constantFrom("sync_tasks", "sync_projects"),
  id: fc.constantFrom("a", "b"),
  updated_at,
  deleted_at: fc.option(fc.constantFrom(formatInstant(NOON), formatInstant(NOON + 1)), { freq: 3 }),
  payload: fc.constantFrom(
    {},
    { title: "bread", pages: [{ id: "p", url: "https://a.example/" }] },
    { pages: [{ url: "https://a.example/", id: "p" }], title: "bread" },
    { title: "bread", notes: "in a form of its own" },
    { title: "milk" },
  ),
});

const push = fc.record({
  device: fc.constantFrom(0, 1, 2),
  pullsFirst: fc.boolean(),
  changes: fc.array(change, { minLength: 1, maxLength: 4 }),
  /** How the server's clock moves afterwards. */
  ms: fc.constantFrom(0, 1, SECOND, -SECOND, 6 * MINUTE, -6 * MINUTE, 30 * HOUR),
});

/** The reason with which a record is listed if it was not stored as sent. */
const REASONS = {
  clamped: "clamped",
  "clamped again": "clamped",
  lost: "stale",
  same: null,
  "too far ahead": "stale",
  won: null,
} as const;

const listedAs = (before: Standing | null, sent: Row, now: number) => {
  const arrival = arrive(before, versionOf(sent), now);
  const standing = "standing" in arrival ? arrival.standing : before;
  return { standing, reason: REASONS[arrival.says] };
};

/** Three devices of a new person, at noon. */
const devices = async (): Promise<readonly Wire[]> => {
  server.clock.set(NOON);
  const { account, session } = await newcomer(server);
  const others = ["phone", "tablet"].map((name) =>
    createSession(server.store, account.id, name, cryptoRandom, NOON),
  );
  const secrets = [session, ...(await Promise.all(others)).map(({ secret }) => secret)];
  return secrets.map((secret) => httpWire(() => server.url, secret));
};

test(
  "Without agents the later write wins and nothing else does, byte for byte",
  async () => {
    const property = fc.asyncProperty(
      fc.array(push, { minLength: 1, maxLength: 8 }),
      async (all) => {
        const wires = await devices();
        const expected = new Map<string, Standing | null>();
        for (const { device, pullsFirst, changes, ms } of all) {
          const wire = wires[device] as Wire;
          if (pullsFirst) await wire.pull(null, null);
          const reasons = changes.map((sent) => {
            const standing = expected.get(keyOf(sent)) ?? null;
            const listed = listedAs(standing, sent, server.clock.wall());
            expected.set(keyOf(sent), listed.standing);
            return listed.reason;
          });
          const { applied, rejected, merged, invalid } = await wire.push(changes);
          const stale = reasons.filter((reason) => reason === "stale").length;
          expect([applied, merged, invalid]).toEqual([changes.length - stale, [], []]);
          expect(rejected.map(({ reason }) => reason)).toEqual(
            reasons.filter((one) => one !== null),
          );
          server.clock.set(server.clock.wall() + ms);
        }
        const stored = rowsOf(await (wires[0] as Wire).pull(null, null));
        expect(texts(stored)).toEqual(inOrder(expectedTexts(expected)));
      },
    );
    await fc.assert(property, cases(250));
  },
  300_000 * times(1),
);

const expectedTexts = (expected: ReadonlyMap<string, Standing | null>): readonly unknown[] =>
  [...expected].flatMap(([key, standing]) => {
    if (standing === null) return [];
    const { text, deletedAt, payload } = standing.version;
    return [[key, text, deletedAt, JSON.stringify(payload)]];
  });

/** In the order of their keys: a push is stored as one, so the order of its records says nothing. */
const inOrder = (rows: readonly unknown[]): readonly unknown[] =>
  rows.map((row) => JSON.stringify(row)).toSorted();

const texts = (rows: readonly Row[]): readonly unknown[] =>
  inOrder(
    rows.map((row) => [keyOf(row), row.updated_at, row.deleted_at, JSON.stringify(row.payload)]),
  );
