import { expect, test } from "bun:test";
import fc from "fast-check";
import { PERSON } from "../../../src/domain/people/account.ts";
import { recordRow } from "../../../src/domain/records/row.ts";
import { putRecords } from "../../../src/db/records/put.ts";
import { account, record, server } from "../../../src/db/schema/records.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { formatInstant, type Instant, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { invalid } from "../../../src/domain/base/refusal.ts";
import { cases, times } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { PHONE, accountFor, openForTest, type TestStore } from "../../support/db/store.ts";

/**
 * What a job writes, and how it ends. It may contain an attempt that is refused, only rehearsed, or neither.
 */
type Job = {
  readonly writes: readonly number[];
  readonly attempt: {
    readonly writes: readonly number[];
    readonly refused: boolean;
    readonly rehearsed: boolean;
  } | null;
  readonly after: readonly number[];
  readonly end: "bug" | "done" | "refused";
};

const writes = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 });
const jobs: fc.Arbitrary<Job> = fc.record({
  writes,
  attempt: fc.option(fc.record({ writes, refused: fc.boolean(), rehearsed: fc.boolean() })),
  after: writes,
  end: fc.constantFrom<Job["end"]>("done", "done", "done", "refused", "bug"),
});
/** Jobs that are submitted at the same time, and how far the wall clock moves before them. */
const batches = fc.record({
  jobs: fc.array(jobs, { minLength: 1, maxLength: 6 }),
  step: fc.oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.constantFrom(11 * SECOND, -11 * SECOND, MINUTE),
  ),
});

let made = 0;

/** Stores a new task and returns its id. */
const putTask = async (tx: Tx, accountId: number, now: Instant): Promise<string> => {
  const id = `t${(made += 1)}`;
  const draft = {
    accountId,
    table: "sync_tasks" as const,
    id,
    payload: {},
    payloadText: "{}",
    updated: now,
    updatedAt: formatInstant(now),
    deletedAt: null,
    createdAt: now,
    author: PERSON,
    filed: [],
  };
  const stamps = {
    changedAt: await tx.stamp(accountId, now),
    pushed: null,
    clamp: null,
    protectedAt: null,
    fieldTimes: null,
  };
  await putRecords(tx.orm, [{ row: recordRow(draft, stamps, PHONE, () => false), before: null }]);
  return id;
};

/** Runs a job. Returns the ids that must be stored: none if the job fails. */
const run = (store: TestStore, people: readonly number[], job: Job, now: Instant) =>
  store.writer
    .write(async (tx) => {
      const put = async (who: readonly number[]): Promise<string[]> => {
        const stored: string[] = [];
        for (const person of who) stored.push(await putTask(tx, people[person] ?? 0, now));
        return stored;
      };
      const ids = await put(job.writes);
      const { attempt } = job;
      if (attempt) {
        const attempted = attempt.rehearsed ? tx.rehearse : tx.attempt;
        const outcome = await attempted(async () => {
          const more = await put(attempt.writes);
          if (attempt.refused) throw invalid("No.");
          return more;
        });
        if (outcome.done && !attempt.rehearsed) ids.push(...outcome.value);
      }
      ids.push(...(await put(job.after)));
      if (job.end === "refused") throw invalid("No.");
      if (job.end === "bug") throw new TypeError("undefined is not a function");
      return ids;
    })
    .catch((): string[] => []);

const look = async (store: TestStore) => ({
  hw: new Map((await store.reader.select().from(account).all()).map(({ id, hw }) => [id, hw])),
  lease: (await store.reader.select().from(server).get())?.lease ?? 0,
  rows: await store.reader
    .select({ id: record.id, accountId: record.accountId, changedAt: record.changedAt })
    .from(record)
    .all(),
});

test("Stamps rise from commit to commit and never pass what is on the disk, whatever is undone", async () => {
  const store = await openForTest();
  const people = await Promise.all(
    ["ann", "bob", "cleo"].map((name) => accountFor(store, `${name}@example.org`)),
  );
  let now = NOON;
  const stored = new Set<string>();
  const play = async (batch: { readonly jobs: readonly Job[]; readonly step: number }) => {
    now += batch.step;
    const before = await look(store);
    const ids = await Promise.all(batch.jobs.map((job) => run(store, people, job, now)));
    for (const id of ids.flat()) stored.add(id);
    const { hw, lease, rows } = await look(store);
    expect(new Set(rows.map(({ id }) => id))).toEqual(stored);
    const known = new Set(before.rows.map(({ id }) => id));
    for (const { id, accountId, changedAt } of rows) {
      expect(changedAt).toBeLessThanOrEqual(hw.get(accountId) ?? 0);
      if (!known.has(id)) expect(changedAt).toBeGreaterThan(before.hw.get(accountId) ?? 0);
    }
    expect(Math.max(...hw.values())).toBeLessThanOrEqual(lease);
    expect(store.clock.lease).toBeLessThanOrEqual(lease);
  };
  await fc.assert(fc.asyncProperty(batches, play), { ...cases(300), endOnFailure: true });
  expect(stored.size).toBeGreaterThan(times(500));
});
