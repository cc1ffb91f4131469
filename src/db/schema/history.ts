import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { ActorKind } from "../../domain/people/caller.ts";
import type { Table } from "../../domain/base/record.ts";
import type { Loss } from "../../domain/sync/replacement.ts";

/**
 * Versions of records that no longer stand, or never did, for 90 days. A version that was replaced is
 * kept as its difference from the one that took its place: going back from the record as it is, each
 * can be had again. A version that was refused is its difference from the one that stood then.
 */
export const version = sqliteTable(
  "version",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer("account_id").notNull(),
    table: text("tbl").$type<Table>().notNull(),
    recordId: text("record_id").notNull(),
    /** When it lost, by the server's wall clock. */
    at: integer().notNull(),
    /** The stamp of the transaction in which it lost. */
    stamp: integer(),
    loss: text().$type<Loss>().notNull(),
    /** Its own stamp, in the words of whoever wrote it, and when it was deleted if it was. */
    updatedAt: text("updated_at").notNull(),
    deletedAt: text("deleted_at"),
    /** Who wrote it, as far as that is known, and who did what made it lose. */
    writerKind: text("writer_kind").$type<ActorKind>(),
    writerId: text("writer_id"),
    byKind: text("by_kind").$type<ActorKind>(),
    byId: text("by_id"),
    /** JSON of a `Difference`; null for a record that was not there before. */
    difference: text(),
    /** Bytes of the difference. */
    size: integer().notNull(),
    /** A hash of a refused version, so that a device that sends it again and again is kept once. */
    digest: text(),
  },
  (table) => [
    index("version_record").on(table.accountId, table.table, table.recordId, table.id),
    index("version_by")
      .on(table.accountId, table.byId, table.at)
      .where(sql`by_kind = 'api_key'`),
    index("version_stamp")
      .on(table.accountId, table.stamp)
      .where(sql`loss = 'deleted'`),
    index("version_at").on(table.at),
    index("version_size").on(table.accountId, table.id, table.size),
    uniqueIndex("version_refused")
      .on(table.accountId, table.table, table.recordId, table.digest)
      .where(sql`digest is not null`),
  ],
);

/** Pushes that deleted very much at once: whoever did not mean it is shown the way back. */
export const massDeletion = sqliteTable(
  "mass_deletion",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer("account_id").notNull(),
    sessionId: text("session_id"),
    at: integer().notNull(),
    stamp: integer().notNull(),
    /** Records that the push deleted. */
    records: integer().notNull(),
    restoredAt: integer("restored_at"),
  },
  (table) => [index("mass_deletion_account").on(table.accountId, table.at)],
);

/**
 * Replies to requests that named an `Idempotency-Key`, for 24 hours: the same request again is given the
 * same reply, and does nothing.
 */
export const storedReply = sqliteTable(
  "kept_reply",
  {
    /** The id of the API key or session that asked. */
    credentialId: text("credential_id").notNull(),
    method: text().notNull(),
    path: text().notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    /** SHA-256 of the request's raw body. */
    bodyHash: text("body_hash").notNull(),
    at: integer().notNull(),
    status: integer().notNull(),
    body: text().notNull(),
    etag: text(),
    touched: text(),
  },
  (table) => [
    primaryKey({
      columns: [table.credentialId, table.method, table.path, table.idempotencyKey],
    }),
    index("kept_reply_at").on(table.at),
  ],
);
