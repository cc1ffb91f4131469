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

// How programs come in: what stands behind keys and devices' tokens, and what keys did.

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
    /** The key that took this one's place. */
    replacedBy: text("replaced_by"),
    /** What the key is kept to (`writeLeash`), null for the whole account. */
    restriction: text("leash"),
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
    /** Records that syncs delivered to, took from and did not take from the device; null for none. */
    pulled: integer(),
    applied: integer(),
    rejected: integer(),
    /** The last `since` that it sent, if that was a `server_time` given to it; null for none. */
    ack: integer(),
    /** The last 8 `server_time`s that were given to it, as JSON (`Issued[]`). */
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
    /** The minute that a folded row stands for, null for a row of one call. */
    minute: integer(),
    /** 1 for a call that only asked what it would do. */
    dryRun: integer("dry_run").notNull().default(0),
    /** What was called over MCP: a tool's name, else the protocol's method; null for other calls. */
    tool: text(),
  },
  (table) => [
    index("activity_key").on(table.keyId, table.at),
    index("activity_at").on(table.at),
    // Holds all that the chart counts.
    index("activity_account").on(table.accountId, table.at, table.keyId, table.status, table.count),
    uniqueIndex("activity_folded")
      .on(table.keyId, table.minute, table.method, table.route, table.status)
      .where(sql`minute is not null`),
  ],
);
