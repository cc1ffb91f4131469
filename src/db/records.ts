import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { AgentChild } from "../child.ts";
import { deserialise } from "../payload.ts";
import type { Table } from "../record.ts";
import { byteLength } from "../text.ts";
import type { Clamp } from "../verdict.ts";
import { type Orm, prepared } from "./orm.ts";
import { type Draft, project } from "./projection.ts";
import { record } from "./schema.ts";
import { type TrashFinder, retrash } from "./trash.ts";
import { writeUrls } from "./urls.ts";

export type RecordRow = typeof record.$inferSelect;

/** What is kept of a record beside its content. */
export type Stamps = {
  readonly changedAt: number;
  readonly pushedAt: number | null;
  readonly clamp: Clamp | null;
};

const COLUMNS = Object.entries(getTableColumns(record));
const KEY: readonly string[] = ["accountId", "table", "id"];

const selectRecord = prepared((orm) =>
  orm
    .select()
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

const upsertRecord = prepared((orm) => {
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
    })
    .prepare();
});

export const findRecord = (
  orm: Orm,
  accountId: number,
  table: Table,
  id: string,
): RecordRow | null => selectRecord(orm).get({ accountId, table, id }) ?? null;

/** Stores a record with all that is derived from it. `before` is the row that it replaces. */
export const putRecord = (
  orm: Orm,
  draft: Draft,
  stamps: Stamps,
  before: RecordRow | null,
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
    pushedAt: stamps.pushedAt,
    clampRaw: stamps.clamp?.raw ?? null,
    clampContent: stamps.clamp?.content ?? null,
    clampedAt: stamps.clamp?.at ?? null,
    createdAt: draft.createdAt,
    createdBy: draft.author.created_by,
    createdByKey: draft.author.created_by_key,
    agentChildren: draft.agentChildren.length === 0 ? null : JSON.stringify(draft.agentChildren),
    mergeContent: null,
    guards: null,
    writerKind: null,
    writerId: null,
    ...projection,
  };
  upsertRecord(orm).run(row);
  if (draft.table === "sync_tasks") writeUrls(orm, draft, before);
  if (draft.table === "sync_buckets") retrash(orm, row, before, trash);
  return row;
};

export const clampOf = (row: RecordRow): Clamp | null =>
  row.clampRaw === null || row.clampContent === null || row.clampedAt === null
    ? null
    : { raw: row.clampRaw, content: row.clampContent, at: row.clampedAt };

export const agentChildrenOf = (row: RecordRow | null): readonly AgentChild[] =>
  row?.agentChildren ? (JSON.parse(row.agentChildren) as readonly AgentChild[]) : [];

export const payloadOf = (row: RecordRow) => deserialise(row.payload);
