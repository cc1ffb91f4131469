import { and, eq, sql } from "drizzle-orm";
import type { Author } from "../caller.ts";
import type { FolderDraft } from "../draft.ts";
import { formatInstant, type Instant } from "../instant.ts";
import { serialise } from "../payload.ts";
import { newId } from "./ids.ts";
import type { Store } from "./open.ts";
import { prepared } from "./orm.ts";
import { putRecord } from "./records.ts";
import { record } from "./schema.ts";
import { trashFinder } from "./trash.ts";

const selectFolders = prepared((orm) =>
  orm
    .select({
      row: record.row,
      // The tasks that GET /tasks?project_id= would list: the open ones. Of one table, Drizzle
      // writes columns without its name, which inside would mean the task's own.
      taskCount: sql<number>`(select count(*) from ${record} as task
        where task.account_id = ${record}.account_id and task.folder_id = ${record}.id
        and task.open = 1)`,
    })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        sql`${record.table} = 'sync_projects' and ${record.live} = 1`,
      ),
    )
    .orderBy(record.createdAt, record.id)
    .prepare(),
);

/** The account's live folders as JSON texts, the oldest first. */
export const listFolders = async (store: Store, accountId: number): Promise<readonly string[]> =>
  selectFolders(store.reader)
    .all({ accountId })
    .map(({ row, taskCount }) => withCount(row, taskCount));

/** Makes a folder. Two may have the same name: the older one is meant by it. */
export const createFolder = (
  store: Store,
  accountId: number,
  { name, colour }: FolderDraft,
  author: Author,
  now: Instant,
): Promise<{ readonly id: string; readonly text: string }> =>
  store.writer.write((tx) => {
    const payload = { name, colour };
    const draft = {
      accountId,
      table: "sync_projects" as const,
      id: newId(now),
      payload,
      payloadText: serialise(payload),
      updated: now,
      updatedAt: formatInstant(now),
      deletedAt: null,
      createdAt: now,
      author,
      agentChildren: [],
    };
    const stamps = { changedAt: tx.stamp(accountId, now), pushedAt: null, clamp: null };
    const made = putRecord(tx.orm, draft, stamps, null, trashFinder(tx.orm, accountId));
    return { id: made.id, text: withCount(made.row, 0) };
  });

const withCount = (row: string, count: number): string =>
  `${row.slice(0, -1)},"task_count":${count}}`;
