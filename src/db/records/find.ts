import { and, eq, sql } from "drizzle-orm";
import type { RecordKey, Table } from "../../domain/base/record.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { account, agentChild, record } from "../schema/records.ts";
import { PROPOSED } from "../../domain/tasks/task.ts";
import { LIVE_TASK } from "./reach.ts";
import { breathe } from "../../domain/base/breathe.ts";
import { type Orm, columnsOf, direct, named, prepared } from "../query.ts";
import type { AgentChild } from "../../domain/tasks/filed.ts";

const selectRecord = direct<RecordRow>((orm) =>
  orm
    .select(columnsOf(record))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        eq(record.id, sql.placeholder("id")),
      ),
    ),
);

export const findRecord = async (
  orm: Orm,
  accountId: number,
  table: Table,
  id: string,
): Promise<RecordRow | null> => (await selectRecord(orm).get({ accountId, table, id })) ?? null;

/**
 * Returns one entry per key, in the order of the keys. 500 keys take 1.5 ms this way, and the same in one query over a
 * list of keys.
 */
export const findRecords = async (
  orm: Orm,
  accountId: number,
  keys: readonly RecordKey[],
): Promise<readonly (RecordRow | null)[]> => {
  const select = selectRecord(orm);
  const rows: (RecordRow | null)[] = [];
  for (const { table, id } of keys) {
    await breathe();
    rows.push((await select.get({ accountId, table, id })) ?? null);
  }
  return rows;
};

const selectProposed = prepared((orm) =>
  orm
    .select({ found: sql<number>`count(*)` })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        LIVE_TASK,
        eq(record.status, PROPOSED),
        eq(record.createdByKey, sql.placeholder("keyName")),
      ),
    )
    .prepare(),
);

/** Returns how many proposed tasks wait that a key of this name created. */
export const countProposed = async (
  orm: Orm,
  accountId: number,
  keyName: string,
): Promise<number> => (await selectProposed(orm).get({ accountId, keyName }))?.found ?? 0;

const insertChild = direct((orm) =>
  orm
    .insert(agentChild)
    .values({
      accountId: sql.placeholder("accountId"),
      id: sql.placeholder("id"),
      list: sql.placeholder("list"),
      key: sql.placeholder("key"),
      createdAt: sql.placeholder("createdAt"),
    })
    .onConflictDoNothing(),
);

const CHILD = named({
  id: agentChild.id,
  list: agentChild.list,
  key: agentChild.key,
  createdAt: agentChild.createdAt,
});

const selectChild = direct<AgentChild>((orm) =>
  orm
    .select(CHILD)
    .from(agentChild)
    .where(
      and(
        eq(agentChild.accountId, sql.placeholder("accountId")),
        eq(agentChild.id, sql.placeholder("id")),
      ),
    ),
);

const selectAny = prepared((orm) =>
  orm
    .select({ id: agentChild.id })
    .from(agentChild)
    .where(eq(agentChild.accountId, sql.placeholder("accountId")))
    .limit(1)
    .prepare(),
);

/** If no key of the account has filed anything yet, skips looking for each id. */
export const findChildren = async (
  orm: Orm,
  accountId: number,
  ids: readonly string[],
): Promise<readonly AgentChild[]> => {
  if (ids.length === 0 || !(await selectAny(orm).get({ accountId }))) return [];
  const select = selectChild(orm);
  const children: AgentChild[] = [];
  for (const id of ids) {
    await breathe();
    const child = await select.get({ accountId, id });
    if (child) children.push(child);
  }
  return children;
};

/** Remembers tabs and notes that keys filed, wherever a device may move them later. */
export const insertChildren = async (
  orm: Orm,
  accountId: number,
  children: readonly AgentChild[],
): Promise<void> => {
  const insert = insertChild(orm);
  for (const { id, list, key, createdAt } of children)
    await insert.run({ accountId, id, list, key, createdAt });
};

const selectInbox = prepared((orm) =>
  orm
    .select({ id: account.inboxTaskId })
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId")))
    .prepare(),
);

export const findInboxId = async (orm: Orm, accountId: number): Promise<string | null> =>
  (await selectInbox(orm).get({ accountId }))?.id ?? null;

export const setInboxId = async (orm: Orm, accountId: number, taskId: string): Promise<void> => {
  await orm.update(account).set({ inboxTaskId: taskId }).where(eq(account.id, accountId)).run();
};
