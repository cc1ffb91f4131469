import type { Client } from "../../client/client.ts";
import type { Edit } from "../../client/edit.ts";
import { listTasks } from "../../client/lists.ts";
import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { type Table, TABLES } from "../../domain/base/record.ts";
import { childId } from "../../domain/tasks/child.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import { databaseName } from "../../client/store/database.ts";
import { NOBODY, openStore } from "./open.ts";
import { inTurn } from "./turn.ts";

/**
 * Moves what was saved while nobody was signed in into the account's store. Returns whether there was anything. It may
 * be stopped at any moment and run again: a record that is there already is left as it is, and the local store is
 * erased only after everything is in the account's.
 */
export const adoptLocal = (client: Client): Promise<boolean> => inTurn(() => adopt(client));

const adopt = async (client: Client): Promise<boolean> => {
  if (!(await hasLocal())) return false;
  const local = await openStore(NOBODY);
  await local.whole;
  const edits = adoptions(client, local);
  if (edits.length > 0) await client.edit("Tasks of this browser added", edits);
  await local.signOut({ evenIfWaiting: true });
  return edits.length > 0;
};

const hasLocal = async (): Promise<boolean> => {
  const databases = await indexedDB.databases();
  return databases.some(({ name }) => name === databaseName(NOBODY.server, NOBODY.account.id));
};

const VIEWS = {
  sync_tasks: "tasks",
  sync_projects: "folders",
  sync_buckets: "buckets",
} as const;

const adoptions = (client: Client, local: Client): readonly Edit[] => {
  const [inbox] = listTasks(client.state(), { kind: "inbox" });
  return TABLES.flatMap((table) =>
    [...local.state()[VIEWS[table]].values()].map(({ id, payload }) =>
      table === "sync_tasks" && payload["title"] === INBOX_TITLE && inbox
        ? intoInbox(inbox.id, id, payload)
        : asItIs(table, id, payload),
    ),
  );
};

const asItIs =
  (table: Table, id: string, payload: Payload): Edit =>
  async (desk) => {
    if ((await desk.find(table, id)) === null) await desk.write(table, id, payload);
  };

/** The account has an inbox already. One more would show twice. */
const intoInbox =
  (inboxId: string, localId: string, local: Payload): Edit =>
  async (desk) => {
    const inbox = await desk.read("sync_tasks", inboxId);
    if (inbox === null) return asItIs("sync_tasks", localId, local)(desk);
    const missing = (field: "groups" | "notes" | "pages"): readonly unknown[] => {
      const there = listField(inbox, field);
      const known = new Set(there.map(idOf));
      return [...there, ...listField(local, field).filter((item) => !known.has(idOf(item)))];
    };
    await desk.write("sync_tasks", inboxId, {
      ...inbox,
      pages: missing("pages"),
      notes: missing("notes"),
      ...(listField(local, "groups").length > 0 ? { groups: missing("groups") } : {}),
    });
  };

const idOf = (item: unknown): string | null => (isObject(item) ? childId(item) : null);
