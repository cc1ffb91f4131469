import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { FiledChild } from "../../domain/tasks/child.ts";
import { type Guards, NO_GUARDS } from "../../domain/sync/guards.ts";
import { deserialise, type Payload } from "../../domain/base/payload.ts";
import type { Table } from "../../domain/base/record.ts";
import { byteLength } from "../../domain/base/text.ts";
import type { Clamp, Pushed, Taken } from "../../domain/sync/verdict.ts";
import { columnsOf, direct } from "../sqlite/direct-query.ts";
import { type Replacement, keepReplaced } from "../history/versions.ts";
import { indexTask } from "../sqlite/search-index.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { type Draft, project } from "./projection.ts";
import { record } from "../schema/records.ts";
import { type TrashFinder, retrash } from "./trash.ts";
import { writeUrls } from "../sqlite/tab-urls.ts";

export type RecordRow = typeof record.$inferSelect;

/** What is kept of a record beside its content. */
export type Stamps = {
  readonly changedAt: number;
  /** The version that a device pushed last. */
  readonly pushed: Pushed | null;
  readonly clamp: Clamp | null;
  readonly guards: Guards;
};

const COLUMNS = Object.entries(getTableColumns(record));
const KEY: readonly string[] = ["accountId", "table", "id"];

const selectRecord = direct<RecordRow>((orm) =>
  orm
    .select(columnsOf(record))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
      ),
    ),
);

const upsertRecord = direct((orm) => {
  const values = COLUMNS.map(([key]) => [key, sql.placeholder(key)]);
  const replaced = COLUMNS.filter(([key]) => !KEY.includes(key));
  return orm
    .insert(record)
    .values(Object.fromEntries(values) as typeof record.$inferInsert)
    .onConflictDoUpdate({
      target: [record.accountId, record.table, record.id],
      set: Object.fromEntries(
        replaced.map(([key, column]) => [key, sql.raw(`excluded."${column.name}"`)]),
      ),
    });
});

export const findRecord = (
  orm: Orm,
  accountId: number,
  table: Table,
  id: string,
): RecordRow | null => selectRecord(orm).get({ accountId, table, id }) ?? null;

/**
 * Stores a record with all that is derived from it, and keeps the version that it replaces, `before`, in
 * the history.
 */
export const putRecord = (
  orm: Orm,
  draft: Draft,
  stamps: Stamps,
  before: RecordRow | null,
  replacement: Replacement,
  trash: TrashFinder,
): RecordRow => {
  const projection = project(draft, trash.holds);
  const row: RecordRow = {
    accountId: draft.accountId,
    table: draft.table,
    id: draft.id,
    payload: draft.payloadText,
    size: byteLength(draft.payloadText),
    updated: draft.updated,
    updatedAt: draft.updatedAt,
    deletedAt: draft.deletedAt,
    changedAt: stamps.changedAt,
    pushedAt: stamps.pushed?.updated ?? null,
    clampRaw: stamps.clamp?.raw ?? null,
    clampContent: stamps.clamp?.content ?? null,
    clampedAt: stamps.clamp?.at ?? null,
    createdAt: draft.createdAt,
    createdBy: draft.author.created_by,
    createdByKey: draft.author.created_by_key,
    filed: draft.filed.length === 0 ? null : JSON.stringify(draft.filed),
    pushedContent: stamps.pushed && pushedText(stamps.pushed),
    guards: guardsText(stamps.guards),
    writerKind: replacement.by.kind,
    writerId: replacement.by.id,
    ...projection,
  };
  upsertRecord(orm).run(row);
  const replaced = before && { row: before, payload: payloadOf(before) };
  keepReplaced(orm, replaced, row, draft.payload, replacement);
  if (draft.table === "sync_tasks") {
    writeUrls(orm, draft, replaced);
    indexTask(orm, draft, replaced);
  }
  if (draft.table === "sync_buckets") retrash(orm, row, before, trash);
  return row;
};

const updatePushed = prepared((orm) =>
  orm
    .update(record)
    .set({
      pushedAt: sql`${sql.placeholder("pushedAt")}`,
      pushedContent: sql`${sql.placeholder("pushedContent")}`,
    })
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

/** Remembers what a device pushed last where that changes nothing: what others push is older or newer than it. */
export const notePushed = (orm: Orm, { accountId, table, id }: RecordRow, pushed: Pushed): void => {
  const values = { pushedAt: pushed.updated, pushedContent: pushedText(pushed) };
  updatePushed(orm).run({ accountId, table, id, ...values });
};

const pushedText = ({ as, content }: Pushed): string => `${as} ${content}`;

export const clampOf = (row: RecordRow): Clamp | null =>
  row.clampRaw === null || row.clampContent === null || row.clampedAt === null
    ? null
    : { raw: row.clampRaw, content: row.clampContent, at: row.clampedAt };

export const pushedOf = ({ pushedAt, pushedContent }: RecordRow): Pushed | null => {
  if (pushedAt === null) return null;
  // Rows of before this was kept have no content, and equal none.
  const [as = "applied", content = ""] = pushedContent?.split(" ") ?? [];
  return { updated: pushedAt, content, as: as as Taken };
};

export const guardsOf = (row: RecordRow | null): Guards =>
  row?.guards ? (JSON.parse(row.guards) as Guards) : NO_GUARDS;

const guardsText = (guards: Guards): string | null =>
  guards.fields.length + guards.drops.length === 0 ? null : JSON.stringify(guards);

export const filedOf = (row: Pick<RecordRow, "filed"> | null): readonly FiledChild[] =>
  row?.filed ? (JSON.parse(row.filed) as readonly FiledChild[]) : [];

/** The row's payload, parsed once: it is asked for by all who put something else in its place. */
export const payloadOf = (row: RecordRow): Payload => {
  const payload = parsed.get(row) ?? deserialise(row.payload);
  parsed.set(row, payload);
  return payload;
};

const parsed = new WeakMap<RecordRow, Payload>();
