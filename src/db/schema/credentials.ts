import { sql } from "drizzle-orm";
import {
  blob,
  check,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { account } from "./records.ts";

// How programs sign in: API keys, device sessions, and what keys did.

export const apiKey = sqliteTable(
  "api_key",
  {
    id: text().primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    name: text().notNull(),
    digest: blob({ mode: "buffer" }).notNull(),
    hint: text().notNull(),
    /** `read`, `write` or `read,write`. */
    scopes: text().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
    /** The id of the key that replaced this one. */
    replacedBy: text("replaced_by"),
    /** The key's restriction as JSON (see `writeRestriction`); null for the whole account. */
    restriction: text("leash"),
    /** What counts against the key's share of the history, in bytes. */
    historySize: integer("history_size").notNull().default(0),
    /** 1 if a person reviews what it creates. */
    review: integer().notNull().default(0),
    /** The program that got the key by a person's consent, as it calls itself, and where it was sent back to. */
    client: text(),
  },
  (table) => [
    uniqueIndex("api_key_digest").on(table.digest),
    index("api_key_account").on(table.accountId),
    check("api_key_scopes", sql`scopes in ('read', 'write', 'read,write')`),
  ],
);

export const session = sqliteTable(
  "session",
  {
    id: text().primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    name: text().notNull(),
    digest: blob({ mode: "buffer" }).notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at").notNull(),
    revokedAt: integer("revoked_at"),
    lastSyncAt: integer("last_sync_at"),
    /** How many records syncs sent to the device, accepted from it, and rejected; null for none yet. */
    pulled: integer(),
    applied: integer(),
    rejected: integer(),
    /**
     * The last `since` that the device sent, if that was a `server_time` issued to it; otherwise
     * null.
     */
    ack: integer(),
    /** The last 8 `server_time`s given to the device with everything up to them, as JSON (`Delivery[]`). */
    issued: text(),
  },
  (table) => [
    uniqueIndex("session_digest").on(table.digest),
    index("session_account").on(table.accountId),
  ],
);

export const activity = sqliteTable(
  "activity",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer("account_id").notNull(),
    keyId: text("key_id").notNull(),
    at: integer().notNull(),
    method: text().notNull(),
    route: text().notNull(),
    status: integer().notNull(),
    touched: text(),
    client: text(),
    tookToken: integer("took_token").notNull(),
    count: integer().notNull(),
    /**
     * The minute that a row of several calls covers, counted from 1970-01-01; null for a single
     * call.
     */
    minute: integer(),
    /** 1 for a dry run. */
    dryRun: integer("dry_run").notNull().default(0),
    /**
     * What an MCP call asked for: a tool's name, otherwise the protocol's method. Null for other
     * calls.
     */
    tool: text(),
  },
  (table) => [
    index("activity_key").on(table.keyId, table.at),
    index("activity_at").on(table.at),
    // Covers every column that the chart counts.
    index("activity_account").on(table.accountId, table.at, table.keyId, table.status, table.count),
    uniqueIndex("activity_folded")
      .on(table.keyId, table.minute, table.method, table.route, table.status)
      .where(sql`minute is not null`),
  ],
);
