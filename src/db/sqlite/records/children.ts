import { and, eq, sql } from "drizzle-orm";
import { breathe } from "../../../domain/base/breathe.ts";
import type { AgentChild } from "../../../domain/tasks/moved.ts";
import { agentChild } from "../../schema/records.ts";
import { direct, named } from "../direct-query.ts";
import { type Orm, prepared } from "../orm.ts";

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
  if (ids.length === 0 || !selectAny(orm).get({ accountId })) return [];
  const select = selectChild(orm);
  const children: AgentChild[] = [];
  for (const id of ids) {
    await breathe();
    const child = select.get({ accountId, id });
    if (child) children.push(child);
  }
  return children;
};

/** Remembers tabs and notes that keys filed, wherever a device may move them later. */
export const insertChildren = (
  orm: Orm,
  accountId: number,
  children: readonly AgentChild[],
): void => {
  const insert = insertChild(orm);
  for (const { id, list, key, createdAt } of children)
    insert.run({ accountId, id, list, key, createdAt });
};
