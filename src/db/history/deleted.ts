import { and, desc, eq, sql } from "drizzle-orm";
import type { ActorKind } from "../../domain/people/caller.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { type Payload, textField } from "../../domain/base/payload.ts";
import type { Table } from "../../domain/base/record.ts";
import { rowText } from "../../domain/base/text.ts";
import type { Store } from "../store.ts";
import type { History } from "../transaction.ts";
import { prepared } from "../sqlite/orm.ts";
import { versionsOf } from "./history.ts";
import { payloadOf, type RecordRow } from "../../domain/sync/row.ts";
import { lastLife } from "./restore.ts";
import { HISTORY_RETENTION } from "./retention.ts";
import { record } from "../schema/records.ts";

/** A record that a device deleted or moved to the trash. */
export type DeletedRecord = {
  readonly table: Table;
  readonly id: string;
  readonly title: string;
  readonly how: "deleted" | "trashed";
  /** When the server received the deletion or the move, in ms. */
  readonly at: Instant;
  /** Who deleted the record, or changed it last while it was in the trash; null where that is not known. */
  readonly byKind: ActorKind | null;
  readonly byId: string | null;
  /** The payload from before the deletion; null if history no longer holds it. */
  readonly payload: Payload | null;
};

/** A position in the list: newest first, then by table and id within one commit. */
export type DeletedPosition = { readonly at: Instant; readonly table: Table; readonly id: string };

export type DeletedPage = {
  readonly rows: readonly DeletedRecord[];
  /** Where the next page starts; null on the last page. */
  readonly next: DeletedPosition | null;
};

const IS_GONE = sql`(deleted_at is not null or (tbl = 'sync_tasks' and trashed = 1))`;

const selectDeleted = prepared((orm) =>
  orm
    .select()
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        IS_GONE,
        sql`(${record.changedAt}, ${record.table}, ${record.id}) <
          (${sql.placeholder("at")}, ${sql.placeholder("table")}, ${sql.placeholder("id")})`,
        // Records in the trash are listed however old they are.
        sql`(${record.deletedAt} is null or ${record.changedAt} >= ${sql.placeholder("oldest")})`,
      ),
    )
    .orderBy(desc(record.changedAt), desc(record.table), desc(record.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/**
 * Returns a page of the account's deleted and trashed records, newest first: deletions of the last 90 days,
 * and everything in the trash. Deleted buckets are included.
 */
export const listDeleted = async (
  store: Store,
  accountId: number,
  page: { readonly after: DeletedPosition | null; readonly limit: number },
  now: Instant,
): Promise<DeletedPage> => {
  const place = page.after ?? { at: Number.MAX_SAFE_INTEGER, table: "", id: "" };
  const oldest = now - HISTORY_RETENTION;
  // One more than asked for, to see whether there is another page.
  const found = selectDeleted(store.reader).all({
    accountId,
    ...place,
    oldest,
    limit: page.limit + 1,
  });
  const shown = found.slice(0, page.limit);
  const last = found.length > page.limit ? shown.at(-1) : undefined;
  const next = last ? { at: last.changedAt, table: last.table, id: last.id } : null;
  const history = versionsOf(store, accountId);
  return { rows: await Promise.all(shown.map((row) => goneOf(history, row))), next };
};

const goneOf = async (history: Pick<History, "before">, row: RecordRow): Promise<DeletedRecord> => {
  const payload = row.deletedAt === null ? payloadOf(row) : await lastLife(history, row);
  return {
    table: row.table,
    id: row.id,
    title: titleOf(payload) || titleOf(payloadOf(row)),
    how: row.deletedAt === null ? "trashed" : "deleted",
    at: row.changedAt,
    byKind: row.writerKind,
    byId: row.writerId,
    payload,
  };
};

const titleOf = (payload: Payload | null): string =>
  payload === null ? "" : rowText(textField(payload, "title") ?? textField(payload, "name") ?? "");
