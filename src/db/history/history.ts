import { setImmediate } from "node:timers/promises";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { applyDifference, type Difference } from "../../domain/history/difference.ts";
import { deserialise, type Payload } from "../../domain/base/payload.ts";
import type { Table } from "../../domain/base/record.ts";
import { notFound } from "../../domain/base/refusal.ts";
import type { Store } from "../store.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { findRecord, type RecordRow } from "../records/records.ts";
import { version } from "../schema/history.ts";

export type VersionRow = typeof version.$inferSelect;

/** A record's content at some time. */
type PastState = { readonly payload: Payload; readonly deletedAt: string | null };

/**
 * One thing that happened to a record. For a version that was replaced: what stood before (null: nothing)
 * and what stood after it. For one that was refused: what was sent, and what stood and went on standing.
 */
export type Step = {
  readonly version: VersionRow;
  readonly refused: boolean;
  readonly before: PastState | null;
  readonly after: PastState | null;
};

/** Versions of up to 1 MiB each: no more are held at a time. */
const READ_AT_ONCE = 20;

const selectVersions = prepared((orm) =>
  orm
    .select()
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.table, sql.placeholder("table")),
        eq(version.recordId, sql.placeholder("id")),
        lt(version.id, sql.placeholder("before")),
      ),
    )
    .orderBy(desc(version.id))
    .limit(READ_AT_ONCE)
    .prepare(),
);

/** All that happened to a record and is still kept, the newest first. */
export function* walkBack(orm: Orm, row: RecordRow): Generator<Step> {
  let stands: PastState | null = { payload: deserialise(row.payload), deletedAt: row.deletedAt };
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const { accountId, table, id } = row;
    const versions = selectVersions(orm).all({ accountId, table, id, before });
    for (const one of versions) {
      const step = stepBack(one, stands);
      yield step;
      if (!step.refused) stands = step.before;
    }
    if (versions.length < READ_AT_ONCE) return;
    before = versions.at(-1)?.id ?? 0;
  }
}

const stepBack = (one: VersionRow, stands: PastState | null): Step => {
  const refused = one.digest !== null;
  if (one.difference === null || stands === null)
    return { version: one, refused, before: null, after: stands };
  const payload = applyDifference(stands.payload, JSON.parse(one.difference) as Difference);
  return { version: one, refused, before: { payload, deletedAt: one.deletedAt }, after: stands };
};

export type History = {
  readonly record: RecordRow;
  readonly steps: readonly Step[];
  /** The version behind which the next page begins, null on the last one. */
  readonly next: number | null;
};

/**
 * A page of what happened to a record of the account, the newest first, also to a deleted one. Versions
 * are kept for 90 days. Refuses a record that the account never had.
 */
export const listHistory = async (
  store: Store,
  accountId: number,
  table: Table,
  id: string,
  page: { readonly after: number | null; readonly limit: number },
): Promise<History> => {
  const record = findRecord(store.reader, accountId, table, id);
  if (!record) throw notFound(table === "sync_tasks" ? "task" : "record");
  const steps: Step[] = [];
  let walked = 0;
  for (const step of walkBack(store.reader, record)) {
    // Long histories are walked in turns, so that other requests are answered between.
    if ((walked += 1) % READ_AT_ONCE === 0) await setImmediate();
    if (page.after !== null && step.version.id >= page.after) continue;
    if (steps.length === page.limit)
      return { record, steps, next: steps.at(-1)?.version.id ?? null };
    steps.push(step);
  }
  return { record, steps, next: null };
};

const selectVersion = prepared((orm) =>
  orm
    .select()
    .from(version)
    .where(
      and(
        eq(version.accountId, sql.placeholder("accountId")),
        eq(version.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

/** A version of the account's by its number. */
export const findVersion = (orm: Orm, accountId: number, id: number): VersionRow | null =>
  selectVersion(orm).get({ accountId, id }) ?? null;
