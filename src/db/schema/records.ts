import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ActorKind, Plan } from "../../domain/people/account.ts";
import type { ChildList } from "../../domain/tasks/child.ts";
import type { Table } from "../../domain/base/record.ts";

// `STRICT` is added by hand to the generated SQL of every table; a test checks it.

/** A single row: what the server must remember across a crash. */
export const server = sqliteTable("server", {
  id: integer().primaryKey(),
  /** No stamp and no `server_time` above this has ever been issued. */
  lease: integer().notNull(),
  /** Changes when the data are restored from a backup. */
  epoch: text().notNull(),
});

export const account = sqliteTable("account", {
  id: integer().primaryKey({ autoIncrement: true }),
  uid: text().notNull().unique(),
  email: text().notNull().unique(),
  passwordHash: text("password_hash"),
  plan: text().$type<Plan>().notNull(),
  planSource: text("plan_source").notNull(),
  planUntil: integer("plan_until"),
  proEndedAt: integer("pro_ended_at"),
  createdAt: integer("created_at").notNull(),
  disabledAt: integer("disabled_at"),
  /** High-water mark: the newest stamp of any of the account's records. */
  hw: integer().notNull(),
  /** The task into which `/inbox/tabs` files. */
  inboxTaskId: text("inbox_task_id"),
  /** 1 for the account that set the server up; null for all others. */
  owner: integer().unique("account_owner"),
  /** What people's versions take up in the account's history, in bytes. */
  historySize: integer("history_size").notNull().default(0),
  /** All versions that were replaced or refused after this stamp are still stored. */
  historySince: integer("history_since").notNull().default(0),
  /** The restores of the data, as JSON (`Restore[]`); null if there were none. */
  restores: text(),
  /** What counts against the share of all the account's keys, in bytes. */
  keysHistorySize: integer("keys_history_size").notNull().default(0),
});

/**
 * Every task, folder and bucket. The payload is the only source of truth. The other columns are a
 * projection of it for queries, written in the same transaction.
 */
export const record = sqliteTable(
  "record",
  {
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    table: text("tbl").$type<Table>().notNull(),
    id: text().notNull(),
    payload: text().notNull(),
    /**
     * The payload's size in bytes. It is in the index of changes, so that a pull knows how much it
     * is about to read.
     */
    size: integer().notNull(),
    /** The client's clock, which decides only who wins. `updatedAt` is the client's own text. */
    updated: integer().notNull(),
    updatedAt: text("updated_at").notNull(),
    deletedAt: text("deleted_at"),
    /** The server's clock, which decides only what is delivered. */
    changedAt: integer("changed_at").notNull(),
    /** `updated` of the last version that a device pushed. */
    pushedAt: integer("pushed_at"),
    clampRaw: integer("clamp_raw"),
    clampContent: text("clamp_content"),
    clampedAt: integer("clamped_at"),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").$type<"agent" | "person">().notNull(),
    createdByKey: text("created_by_key"),
    /**
     * The record's tabs and notes that were filed over REST, as JSON (`FiledChild[]`); null if
     * there are none.
     */
    filed: text("agent_children"),
    /** The projection begins here. A task's title or a folder's name. */
    title: text().notNull(),
    status: text(),
    folderId: text("folder_id"),
    bucketId: text("bucket_id"),
    /** 1 for a trash bucket, and for a task in one. */
    trashed: integer().notNull(),
    /**
     * `live` is 1 if the record is neither deleted nor in the trash; `open` is 1 if it is live and
     * lists of open tasks have it: its status is neither closed nor proposed.
     */
    live: integer().notNull(),
    open: integer().notNull(),
    /** The list row as REST returns it, ready to copy into a reply. */
    row: text().notNull(),
    /** The projection ends here. Later versions of Docket added the columns below. */
    /**
     * How the last version that a device pushed was stored, with a hash of it, so that a retry is
     * recognised.
     */
    pushedContent: text("pushed_content"),
    /** Who wrote the current version; null if that was before Docket recorded it. */
    writerKind: text("writer_kind").$type<ActorKind>(),
    writerId: text("writer_id"),
    /** More of the projection, added later: the day a task is due, and the keys of its tags (`tagKey`) as JSON (null for none). */
    due: text(),
    tags: text(),
    /**
     * The stamp of the newest work in it that a push must not lose unseen: what was done over REST, or a filed
     * tab or note that a device moved here. Null if there is none.
     */
    protectedAt: integer("protected_at"),
    /** When devices changed fields, where that is not their version's stamp, as JSON (`FieldTimes`). */
    fieldTimes: text("field_times"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.table, table.id] }),
    index("record_changed").on(table.accountId, table.table, table.changedAt, table.id, table.size),
    index("record_open")
      .on(table.accountId, table.open, table.changedAt, table.id)
      .where(sql`tbl = 'sync_tasks' and live = 1`),
    index("record_folder")
      .on(table.accountId, table.folderId, table.open, table.changedAt, table.id)
      .where(sql`tbl = 'sync_tasks' and live = 1`),
    index("record_status")
      .on(table.accountId, table.status, table.changedAt, table.id)
      .where(sql`tbl = 'sync_tasks' and live = 1`),
    index("record_bucket")
      .on(table.accountId, table.bucketId)
      .where(sql`bucket_id is not null`),
    // What is in the trash, newest first. A bucket that becomes a trash bucket changes nothing here.
    index("record_bucket_changed")
      .on(table.accountId, table.bucketId, table.changedAt, table.id)
      .where(sql`bucket_id is not null and deleted_at is null`),
    index("record_trash")
      .on(table.accountId, table.id)
      .where(sql`tbl = 'sync_buckets' and trashed = 1`),
    index("record_due")
      .on(table.accountId, table.due)
      .where(sql`due is not null`),
    index("record_gone")
      .on(table.accountId, table.changedAt, table.table, table.id)
      .where(sql`deleted_at is not null`),
    index("record_title")
      .on(table.accountId, table.title, table.createdAt, table.id)
      .where(sql`tbl = 'sync_projects' and live = 1`),
  ],
);

/**
 * The tabs and notes that keys filed, by the id that the server gave them. A device may move them
 * to another task.
 */
export const agentChild = sqliteTable(
  "agent_child",
  {
    accountId: integer("account_id").notNull(),
    id: text().notNull(),
    list: text().$type<ChildList>().notNull(),
    key: text(),
    createdAt: text("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);
