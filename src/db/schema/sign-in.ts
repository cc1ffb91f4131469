import {
  blob,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { CodePurpose } from "../../domain/people/code.ts";
import type { SignInMethod } from "../../domain/people/browser-session.ts";
import { account } from "./records.ts";

// How people and their extensions come in: what stands behind cookies, codes, passkeys and links.

/** Browsers that are signed in to the account area. */
export const browserSession = sqliteTable(
  "visit",
  {
    id: text().primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    digest: blob({ mode: "buffer" }).notNull(),
    method: text().$type<SignInMethod>().notNull(),
    client: text(),
    address: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at").notNull(),
    /** When whoever sits there last proved who they are. */
    authenticatedAt: integer("authenticated_at").notNull(),
    endedAt: integer("ended_at"),
  },
  (table) => [
    uniqueIndex("visit_digest").on(table.digest),
    index("visit_account").on(table.accountId),
  ],
);

/** Browsers in which someone has signed in before: no throttle keeps them out. */
export const knownBrowser = sqliteTable(
  "known_browser",
  {
    digest: blob({ mode: "buffer" }).primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    seenAt: integer("seen_at").notNull(),
  },
  (table) => [index("known_browser_account").on(table.accountId)],
);

/** Codes that are good for one use. Used ones stay until they would have expired, so that a second use is seen. */
export const code = sqliteTable(
  "code",
  {
    id: text().primaryKey(),
    purpose: text().$type<CodePurpose>().notNull(),
    digest: blob({ mode: "buffer" }).notNull(),
    /** Whose code it is; null for a set-up. */
    accountId: integer("account_id").references(() => account.id),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    /** The session that came of it. */
    sessionId: text("session_id"),
    redirectUri: text("redirect_uri"),
    challenge: text(),
    deviceName: text("device_name"),
  },
  (table) => [
    uniqueIndex("code_digest").on(table.digest),
    index("code_account").on(table.accountId),
    index("code_expires").on(table.expiresAt),
  ],
);

export const passkey = sqliteTable(
  "passkey",
  {
    /** The credential's id, in base64url. */
    id: text().primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    name: text().notNull(),
    publicKey: blob("public_key", { mode: "buffer" }).notNull(),
    counter: integer().notNull(),
    /** The host name that it is good for. */
    host: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("passkey_account").on(table.accountId)],
);

/** Who an OpenID provider says that someone is: found by issuer and subject, by nothing else. */
export const identity = sqliteTable(
  "identity",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    /** What the provider calls them, to be shown. */
    label: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("identity_account").on(table.accountId),
  ],
);

/** Addresses to which an account has let an extension be sent back. */
export const redirect = sqliteTable(
  "redirect",
  {
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    uri: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.uri] })],
);

/** Failed sign-ins, by whom they were for and by where they came from. */
export const failure = sqliteTable(
  "failure",
  {
    subject: text().primaryKey(),
    count: integer().notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [index("failure_last").on(table.lastAt)],
);
