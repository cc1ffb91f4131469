import { eq, sql } from "drizzle-orm";
import type { Editor } from "../../../src/domain/people/account.ts";
import type { Store } from "../../../src/db/store.ts";
import { openPull } from "../../../src/db/records/pull.ts";
import { payloadOf } from "../../../src/domain/records/row.ts";
import { findRecord } from "../../../src/db/records/find.ts";
import { account, record } from "../../../src/db/schema/records.ts";
import { version } from "../../../src/db/schema/history.ts";
import { taskChildren } from "../../../src/db/records/lookup.ts";
import type { Step } from "../../../src/domain/history/event.ts";
import { listHistory } from "../../../src/db/history/history.ts";
import { type Instant, MINUTE } from "../../../src/domain/base/instant.ts";
import type { Payload } from "../../../src/domain/base/payload.ts";
import type { Table } from "../../../src/domain/base/record.ts";
import { NOON } from "../server.ts";
import { accountFor, give, openForTest, recordOf } from "./store.ts";
import { pushChanges } from "../rules.ts";

/** A second key of the account, and a device of its person that pushes. */
export const CAT: Editor = { kind: "api_key", id: "key-2", name: "cat", restriction: null };

type Pushed = {
  /** When the device's person made the edit; by default, just now. */
  readonly at?: Instant;
  readonly table?: Table;
  readonly deleted_at?: string | null;
};

let people = 0;

/** ann's records on a server whose clock advances by a minute each time it is read. */
export const annsRecords = async (given?: Store) => {
  const store = given ?? (await openForTest());
  const ann = await accountFor(store, `ann-${(people += 1)}@example.org`);
  let time = NOON;
  const now = (): Instant => (time += MINUTE);

  /** A device that says with each push what it has stored, unless `acks` is false. */
  const device = (name: string, acks = true) => {
    const sessionId = `${name}-${ann}`;
    let since: Instant | null = null;
    const pull = async (): Promise<void> => {
      const at = now();
      const { until } = await openPull(store, ann, since, null, at);
      await give(store, sessionId, { time: until, at });
      since = until;
    };
    const send = (changes: readonly object[], at = now()) =>
      pushChanges(store, ann, { sessionId, since: acks ? since : null }, changes, at);
    const push = (id: string, payload: object, { at, ...more }: Pushed = {}) => {
      const sent = now();
      return send([recordOf(id, at ?? sent, payload, more)], sent);
    };
    return { sessionId, pull, push, send };
  };

  const row = async (id: string, table: Table = "sync_tasks") => {
    const found = await findRecord(store.reader, ann, table, id);
    if (!found) throw new Error(`There is no ${table} ${id}.`);
    return found;
  };
  const rows = () =>
    store.reader
      .select()
      .from(record)
      .where(eq(record.accountId, ann))
      .orderBy(record.table, record.id)
      .all();
  const payload = async (id: string, table?: Table): Promise<Payload> =>
    payloadOf(await row(id, table));
  /** The tabs of a task by title, each with its author. */
  const tabs = async (id: string): Promise<readonly string[]> =>
    taskChildren(await row(id)).tabs.map(
      (tab) => `${tab.title}: ${tab.created_by_key ?? tab.created_by}`,
    );
  const past = async (id: string, table: Table = "sync_tasks"): Promise<readonly Step[]> =>
    (await listHistory(store, ann, table, id, { after: null, limit: 1_000 })).steps;
  return { store, ann, now, device, row, rows, payload, tabs, past };
};

/** The size of the account's history: as counted, and as it really is. */
export const historySizes = async ({ reader }: Store, accountId: number) => ({
  counted: (
    await reader
      .select({ size: account.historySize })
      .from(account)
      .where(eq(account.id, accountId))
      .get()
  )?.size,
  kept: (
    await reader
      .select({ size: sql<number>`coalesce(sum(${version.size} - ${version.keySize}), 0)` })
      .from(version)
      .where(eq(version.accountId, accountId))
      .get()
  )?.size,
});
