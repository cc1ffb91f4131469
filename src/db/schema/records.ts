import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Plan } from "../../domain/people/account.ts";
import type { ActorKind } from "../../domain/people/caller.ts";
import type { ChildList } from "../../domain/tasks/child.ts";
import type { Table } from "../../domain/base/record.ts";

// `STRICT` is added by hand to the generated SQL of every table; a test holds it.

/** One row: what the server itself must remember over a crash. */
export const server = sqliteTable("server", {
  id: integer().primaryKey(),
  /** No stamp and no `server_time` above this has ever been given out. */
  lease: integer().notNull(),
  /** Changes when the data were restored from a backup. */
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
  /** The task that `/inbox/tabs` files into. */
  inboxTaskId: text("inbox_task_id"),
  /** 1 for the one account that set the server up, null for all others. */
  owner: integer().unique("account_owner"),
  /** Bytes that the account's history takes. */
  historySize: integer("history_size").notNull().default(0),
});

/**
 * Every task, folder and bucket: a payload, which is the one source of truth, and a projection of
 * it, which queries need and which is written in the same transaction.
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
    /** Bytes of the payload. In the index of changes, so that a pull knows what it is about to read. */
    size: integer().notNull(),
    /** The client's clock: decides who wins, nothing else. The text is the client's own. */
    updated: integer().notNull(),
    updatedAt: text("updated_at").notNull(),
    deletedAt: text("deleted_at"),
    /** The server's clock: decides what is delivered, nothing else. */
    changedAt: integer("changed_at").notNull(),
    /** `updated` of the version that a device pushed last. */
    pushedAt: integer("pushed_at"),
    clampRaw: integer("clamp_raw"),
    clampContent: text("clamp_content"),
    clampedAt: integer("clamped_at"),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").$type<"agent" | "person">().notNull(),
    createdByKey: text("created_by_key"),
    /** The tabs and notes of it that were filed over REST, as JSON (`FiledChild[]`), where there are any. */
    filed: text("agent_children"),
    /** Here the projection begins. A task's title, a folder's name. */
    title: text().notNull(),
    status: text(),
    folderId: text("folder_id"),
    bucketId: text("bucket_id"),
    /** 1 if a bucket is, or a task lies in, a trash bucket. */
    trashed: integer().notNull(),
    /** 1 if neither deleted nor trashed; `open` if a task's status is not a closed one besides. */
    live: integer().notNull(),
    open: integer().notNull(),
    /** The list row as REST answers it, ready to be copied into a reply. */
    row: text().notNull(),
    /** And here what later versions of the program added, which is no projection. */
    /** How the version that a device pushed last was taken, and a hash of it: its retry is known again. */
    pushedContent: text("pushed_content"),
    /** What was changed over REST, so that a push which cannot have known is told (`Guards`), as JSON. */
    guards: text(),
    /** Who wrote what stands; null if that was before this was kept. */
    writerKind: text("writer_kind").$type<ActorKind>(),
    writerId: text("writer_id"),
    /** And here what it projects besides. The day a task is due; its tags as JSON, null for none. */
    due: text(),
    tags: text(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.table, table.id] }),
    index("record_changed").on(table.accountId, table.table, table.changedAt, table.id, table.size),
    index("record_open")
      .on(table.accountId, table.changedAt, table.id)
      .where(sql`open = 1`),
    index("record_folder")
      .on(table.accountId, table.folderId, table.changedAt, table.id)
      .where(sql`open = 1`),
    index("record_status")
      .on(table.accountId, table.status, table.changedAt, table.id)
      .where(sql`tbl = 'sync_tasks' and live = 1`),
    index("record_bucket")
      .on(table.accountId, table.bucketId)
      .where(sql`bucket_id is not null`),
    index("record_due")
      .on(table.accountId, table.due)
      .where(sql`due is not null`),
    index("record_gone")
      .on(table.accountId, table.changedAt, table.table, table.id)
      .where(sql`deleted_at is not null or (tbl = 'sync_tasks' and trashed = 1)`),
    index("record_title")
      .on(table.accountId, table.title, table.createdAt, table.id)
      .where(sql`tbl = 'sync_projects' and live = 1`),
  ],
);

/** The tabs and notes that keys filed, by the id that the server gave them: a device may move them. */
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

/** Which tasks hold which url, by 53 bits of the url's hash. `WITHOUT ROWID`, by hand. */
export const tabUrl = sqliteTable(
  "tab_url",
  {
    accountId: integer("account_id").notNull(),
    urlHash: integer("url_hash").notNull(),
    taskId: text("task_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.urlHash, table.taskId] })],
);
