import type { Client } from "../../client/client.ts";
import type { Edit } from "../../client/edit.ts";
import { remove } from "../../client/edits.ts";
import { withGroupsOf } from "../../domain/tasks/groups.ts";
import { listTasks } from "../../client/lists.ts";
import { hasRoom, isTooLarge } from "../../client/rank.ts";
import type { RecordView } from "../../client/views.ts";
import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { type Table, TABLES } from "../../domain/base/record.ts";
import { childId } from "../../domain/tasks/child.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import { databaseName } from "../../client/store/database.ts";
import { NOBODY, openStore } from "./open.ts";

/**
 * Moves what was saved while nobody was signed in into the account's store. Returns whether there was anything. It may
 * be stopped at any moment and run again: a record that is there already is left as it is, and the local store is
 * erased only after everything is in the account's. A record that is too large for the server stays in the local store.
 */
export const adoptLocal = (client: Client): Promise<boolean> => inTurn(() => adopt(client));

const adopt = async (client: Client): Promise<boolean> => {
  if (!(await hasLocal())) return false;
  const local = await openStore(NOBODY);
  await local.whole;
  const all = recordsOf(local);
  const fitting = all.filter(({ payload }) => !isTooLarge(payload));
  const edits = adoptions(client, fitting);
  if (edits.length > 0) await client.edit("Tasks of this browser added", edits);
  if (fitting.length === all.length) await local.signOut({ evenIfWaiting: true });
  else {
    await local.edit(
      "Tasks moved to the account",
      fitting.map(({ table, id }) => remove(table, id)),
    );
    local.close();
  }
  return edits.length > 0;
};

const hasLocal = async (): Promise<boolean> => {
  const databases = await indexedDB.databases();
  return databases.some(({ name }) => name === databaseName(NOBODY.store, NOBODY.account.id));
};

const VIEWS = {
  sync_tasks: "tasks",
  sync_projects: "folders",
  sync_buckets: "buckets",
} as const;

type LocalRecord = Pick<RecordView, "id" | "payload"> & { readonly table: Table };

const recordsOf = (local: Client): readonly LocalRecord[] =>
  TABLES.flatMap((table) =>
    [...local.state()[VIEWS[table]].values()].map(({ id, payload }) => ({ table, id, payload })),
  );

const adoptions = (client: Client, records: readonly LocalRecord[]): readonly Edit[] => {
  const inboxes = listTasks(client.state(), { kind: "inbox" }).map(({ id }) => id);
  return records.map(({ table, id, payload }) =>
    table === "sync_tasks" && payload["title"] === INBOX_TITLE
      ? intoInbox(inboxes, id, payload)
      : asItIs(table, id, payload),
  );
};

const asItIs =
  (table: Table, id: string, payload: Payload): Edit =>
  async (desk) => {
    if ((await desk.find(table, id)) === null) await desk.write(table, id, payload);
  };

/**
 * The account may have an inbox already, and one more would show twice. But where none has room for it, it stays one of
 * its own: an inbox that is too large would not be synced again.
 */
const intoInbox =
  (inboxIds: readonly string[], localId: string, local: Payload): Edit =>
  async (desk) => {
    // It came as one of its own, the last time that this ran.
    if ((await desk.find("sync_tasks", localId)) !== null) return;
    for (const id of inboxIds) {
      const inbox = await desk.read("sync_tasks", id);
      const both = inbox && merged(inbox, local, desk.newId);
      if (both && hasRoom(both)) return desk.write("sync_tasks", id, both);
    }
    await desk.write("sync_tasks", localId, local);
  };

const merged = (inbox: Payload, local: Payload, newId: () => string): Payload => {
  const added = (field: "notes" | "pages"): readonly unknown[] => {
    const known = new Set(listField(inbox, field).map(idOf));
    return listField(local, field).filter((item) => !known.has(idOf(item)));
  };
  const { task, tabs } = withGroupsOf(inbox, local, added("pages"), newId);
  return {
    ...task,
    pages: [...listField(inbox, "pages"), ...tabs],
    notes: [...listField(inbox, "notes"), ...added("notes")],
  };
};

const idOf = (item: unknown): string | null => (isObject(item) ? childId(item) : null);

/**
 * Runs jobs that read the store, decide, and write it, one after the other, whichever page or worker they run in: two
 * saves at the same moment must not both make an inbox. Jobs of different queues do not wait for one another.
 */
export const inTurn = <T>(job: () => Promise<T>, queue = "docket turn"): Promise<T> =>
  navigator.locks.request(queue, job) as Promise<T>;
