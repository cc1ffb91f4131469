import { type Orm } from "../../../src/db/query.ts";
import { Database } from "bun:sqlite";
import { onTestFinished } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { RecordRow } from "../../../src/domain/records/row.ts";
import { findRecord } from "../../../src/db/records/find.ts";
import { ackOf } from "../../../src/db/records/acks.ts";
import { deliver, type Delivery } from "../../../src/domain/sync/proof.ts";
import type { Editor } from "../../../src/domain/people/account.ts";
import { addAccount } from "../../../src/db/people/accounts.ts";
import { type OpenOptions, openStore } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import type { Sender } from "../../../src/db/records/push.ts";
import { formatInstant, type Instant } from "../../../src/domain/base/instant.ts";
import { NOON } from "../server.ts";
import { askPostgres, everyRowOnPostgres, engineOf, ON_POSTGRES } from "../engine.ts";
import { newDirectory } from "./place.ts";
import { pushChanges } from "../rules.ts";

/** A key of the account, and a device of its person, as they write over REST. */
export const BOT: Editor = { kind: "api_key", id: "key-1", name: "bot", restriction: null };
export const PHONE: Editor = { kind: "session", id: "session-1", name: "phone", restriction: null };

/** Creates a directory that is removed when the test is done. */
export const directoryForTest = (): string => {
  const directory = newDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

export type TestStore = Store & { readonly directory: string };

/** Opens a store, in a new directory if none is named. It is closed when the test is done. */
export const openForTest = async (options: Partial<OpenOptions> = {}): Promise<TestStore> => {
  const directory = options.directory ?? directoryForTest();
  const engine = await engineOf(directory);
  const store = await openStore({ role: "server", now: NOON, ...engine, ...options, directory });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= store.close());
  onTestFinished(close);
  return { ...store, directory, close };
};

/** SQLite's own connection, for what only it can be asked. */
export const clientOf = (orm: Orm): Database =>
  (orm as unknown as { readonly $client: Database }).$client;

/** Creates an account and returns its id. */
export const accountFor = async (store: Store, email = "ann@example.org"): Promise<number> =>
  (await addAccount(store, email, { plan: "pro", passwordHash: null }, NOON)).id;

export const databaseFile = (directory: string): string => join(directory, "docket.db");

/** Queries the database directly, on the test's own connection, in SQL that both engines know. */
export const ask = <Row>(directory: string, sql: string, ...values: (number | string)[]): Row[] => {
  if (ON_POSTGRES) return askPostgres(directory, sql, values);
  const database = new Database(databaseFile(directory), { readwrite: true, create: false });
  try {
    return database.query<Row, (number | string)[]>(sql).all(...values);
  } finally {
    database.close();
  }
};

/** Returns all rows of all tables, by the tables' names. */
export const everyRow = (
  directory: string,
): Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> => {
  const tables = ask<{ name: string }>(
    directory,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  ).map(({ name }) => name);
  return ON_POSTGRES
    ? everyRowOnPostgres(directory, tables)
    : Object.fromEntries(tables.map((name) => [name, ask(directory, `SELECT * FROM "${name}"`)]));
};

/** A record as a device pushes it. */
export const recordOf = (
  id: string,
  updated: Instant,
  payload: object = {},
  more: object = {},
) => ({
  table: "sync_tasks",
  id,
  updated_at: formatInstant(updated),
  payload,
  ...more,
});

/** Gives a session a server time with everything up to it. */
export const give = async (
  { acks, reader }: Store,
  sessionId: string,
  delivery: Delivery,
): Promise<void> => {
  acks.set(sessionId, deliver(await ackOf(acks, reader, sessionId), delivery, false));
};

/** A device that has stored all that the server holds at `now`. */
export const upToDate = async (store: Store, now: Instant): Promise<Sender> => {
  const sessionId = PHONE.id ?? "";
  await give(store, sessionId, { time: now, at: now });
  return { sessionId, since: now };
};

/** A task as it is stored. */
export const taskRow = async (store: Store, accountId: number, id: string): Promise<RecordRow> => {
  const row = await findRecord(store.reader, accountId, "sync_tasks", id);
  if (!row || row.deletedAt !== null) throw new Error(`There is no task ${id}.`);
  return row;
};

/** Pushes one task. */
export const pushTask = (
  store: Store,
  accountId: number,
  id: string,
  now: Instant,
  payload: object = { title: id },
) => pushChanges(store, accountId, null, [recordOf(id, now, payload)], now);
