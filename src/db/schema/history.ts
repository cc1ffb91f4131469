import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { ActorKind } from "../../domain/people/account.ts";
import type { Table } from "../../domain/base/record.ts";
import type { Loss, Via } from "../../domain/records/row.ts";

/**
 * Versions of records that lost their place, or never had it, kept for 90 days. A replaced version
 * is stored as its difference from the version that replaced it, so going back from the current
 * record rebuilds each one. A refused version is stored as its difference from the record at that
 * time.
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
    /** The version's own `updated_at` and `deleted_at`, as its writer sent them. */
    updatedAt: text("updated_at").notNull(),
    deletedAt: text("deleted_at"),
    /** Who wrote this version, as far as it is known, and whose change replaced or refused it. */
    writerKind: text("writer_kind").$type<ActorKind>(),
    writerId: text("writer_id"),
    byKind: text("by_kind").$type<ActorKind>(),
    byId: text("by_id"),
    /** JSON of a `Difference`; null if there was no record before. */
    difference: text(),
    /** What it takes up, in bytes. */
    size: integer().notNull(),
    /**
     * A hash of a refused version, so that a device that sends it again and again adds only one
     * row.
     */
    digest: text(),
    /** How the change came; null if that was before Docket recorded it. */
    via: text().$type<Via>(),
    /**
     * For a refused version, the `updated_at` of the one on which its device made it, as far as the
     * device says so.
     */
    base: text(),
    /** How much of its size a key caused. The rest counts as its account's own. */
    keySize: integer("key_size").notNull().default(0),
    /**
     * The id of the key against whose share that counts; empty if it is not known which of the account's keys it was.
     * Null if it counts against none: no key caused any of it, or a person undid or kept what the key did.
     */
    chargedTo: text("charged_to"),
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
    index("version_size").on(table.accountId, table.id, table.size, table.keySize),
    index("version_charged")
      .on(table.accountId, table.chargedTo, table.id)
      .where(sql`charged_to is not null`),
    uniqueIndex("version_refused")
      .on(table.accountId, table.table, table.recordId, table.digest)
      .where(sql`digest is not null`),
  ],
);

/**
 * Pushes that deleted very many records at once. The pages offer to restore them, in case it was a
 * mistake.
 */
export const massDeletion = sqliteTable(
  "mass_deletion",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer("account_id").notNull(),
    sessionId: text("session_id"),
    at: integer().notNull(),
    stamp: integer().notNull(),
    /** How many records the push deleted. */
    records: integer().notNull(),
    restoredAt: integer("restored_at"),
  },
  (table) => [index("mass_deletion_account").on(table.accountId, table.at)],
);

/**
 * Replies to requests with an `Idempotency-Key`, kept for 24 hours. A repeated request gets the
 * same reply and does nothing.
 */
export const storedReply = sqliteTable(
  "kept_reply",
  {
    /** The id of the API key or session that made the request. */
    credentialId: text("credential_id").notNull(),
    method: text().notNull(),
    path: text().notNull(),
    idempotencyKey: text("idempotency_key").notNull(),
    /** SHA-256 of the raw request body. */
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
