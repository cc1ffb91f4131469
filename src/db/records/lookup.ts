import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Table } from "../../domain/base/record.ts";
import type { Store } from "../store.ts";
import { prepared } from "../sqlite/orm.ts";
import type { RecordRow } from "../../domain/sync/row.ts";
import { findRecord } from "../sqlite/records/find.ts";
import { record } from "../schema/records.ts";

// What people are shown of records: deleted and trashed ones too, which the API does not give out.

/** A record of the account, null if there never was one. A tombstone has its `deletedAt`. */
export const readRecord = async (
  store: Store,
  accountId: number,
  table: Table,
  id: string,
): Promise<RecordRow | null> => findRecord(store.reader, accountId, table, id);

const selectTitle = prepared((orm) =>
  orm
    .select({ title: record.title })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
        isNull(record.deletedAt),
      ),
    )
    .prepare(),
);

const TABLES: ReadonlyMap<string, Table> = new Map([
  ["task", "sync_tasks"],
  ["folder", "sync_projects"],
]);

/** The titles of records named as the activity list names them (`task:ID`); deleted ones have none. */
export const readTitles = async (
  store: Store,
  accountId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map(
    [...new Set(names)].flatMap((name) => {
      const at = name.indexOf(":");
      const table = TABLES.get(name.slice(0, at));
      const id = name.slice(at + 1);
      const found = table && selectTitle(store.reader).get({ accountId, table, id });
      return found ? [[name, found.title] as const] : [];
    }),
  );

const selectFolderTasks = prepared((orm) =>
  orm
    .select({ id: record.id, title: record.title, status: record.status })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.folderId, sql.placeholder("folderId")),
        // A literal, so that SQLite sees the partial index.
        sql`${record.open} = 1`,
      ),
    )
    .orderBy(desc(record.changedAt), desc(record.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** A task as the page of its folder names it. */
export type FolderTask = {
  readonly id: string;
  readonly title: string;
  readonly status: string | null;
};

/** The open tasks of a folder, the one changed last first. */
export const listFolderTasks = async (
  store: Store,
  accountId: number,
  folderId: string,
  limit: number,
): Promise<readonly FolderTask[]> =>
  selectFolderTasks(store.reader).all({ accountId, folderId, limit });
