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
import type { SignInMethod } from "../../domain/people/session.ts";
import { account } from "./records.ts";

// How people and their extensions sign in: browser sessions, codes, passkeys and identities.

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
    /** When the person in front of the browser last proved who they are. */
    authenticatedAt: integer("authenticated_at").notNull(),
    endedAt: integer("ended_at"),
  },
  (table) => [
    uniqueIndex("visit_digest").on(table.digest),
    index("visit_account").on(table.accountId),
  ],
);

/**
 * Browsers in which someone has signed in before. Their sign-ins are counted separately, so that
 * strangers cannot lock them out.
 */
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

/**
 * Codes that can be used once. A used code stays until it would have expired, so that a second use
 * is noticed.
 */
export const code = sqliteTable(
  "code",
  {
    id: text().primaryKey(),
    purpose: text().$type<CodePurpose>().notNull(),
    digest: blob({ mode: "buffer" }).notNull(),
    /** The account it belongs to; null for a set-up code. */
    accountId: integer("account_id").references(() => account.id),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    /** The session that it led to. */
    sessionId: text("session_id"),
    redirectUri: text("redirect_uri"),
    challenge: text(),
    deviceName: text("device_name"),
    /** What the person allowed a program that will get a key, as JSON (`Allowed`). */
    allowed: text(),
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
    /** The host name that it works for. */
    host: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("passkey_account").on(table.accountId)],
);

/** Authenticator apps: an account with a row here needs a code beside its password. */
export const authenticator = sqliteTable("authenticator", {
  accountId: integer("account_id")
    .primaryKey()
    .references(() => account.id),
  /** What the app computes its codes from. Docket needs it itself to check them. */
  secret: blob({ mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
  /** The step (30 s each, from 1970) of the last code that was accepted. */
  lastStep: integer("last_step").notNull(),
});

/** Recovery codes that have not been used yet. */
export const recoveryCode = sqliteTable(
  "recovery_code",
  {
    digest: blob({ mode: "buffer" }).primaryKey(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("recovery_code_account").on(table.accountId)],
);

/** Who a person is according to an OpenID provider, identified by issuer and subject alone. */
export const identity = sqliteTable(
  "identity",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    accountId: integer("account_id")
      .notNull()
      .references(() => account.id),
    /** What the provider calls them, for display only. */
    label: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("identity_account").on(table.accountId),
  ],
);

/** Addresses to which an account has allowed sending an extension back. */
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

/** Failed sign-ins, by whose account they tried and where they came from. */
export const failure = sqliteTable(
  "failure",
  {
    subject: text().primaryKey(),
    count: integer().notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [index("failure_last").on(table.lastAt)],
);
