import { and, eq, sql } from "drizzle-orm";
import { type FiledChild, childId } from "../../domain/tasks/child.ts";
import type { ChildFinder } from "../../domain/sync/merge.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { agentChild } from "../schema/records.ts";

const insertChild = prepared((orm) =>
  orm
    .insert(agentChild)
    .values({
      accountId: sql.placeholder("accountId"),
      id: sql.placeholder("id"),
      list: sql.placeholder("list"),
      key: sql.placeholder("key"),
      createdAt: sql.placeholder("createdAt"),
    })
    .onConflictDoNothing()
    .prepare(),
);

const selectChild = prepared((orm) =>
  orm
    .select()
    .from(agentChild)
    .where(
      and(
        eq(agentChild.accountId, sql.placeholder("accountId")),
        eq(agentChild.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

const selectAny = prepared((orm) =>
  orm
    .select({ id: agentChild.id })
    .from(agentChild)
    .where(eq(agentChild.accountId, sql.placeholder("accountId")))
    .limit(1)
    .prepare(),
);

/** Remembers what keys filed, wherever a device may put it later. */
export const insertChildren = (
  orm: Orm,
  accountId: number,
  children: readonly FiledChild[],
): void => {
  for (const { id, list, key, createdAt, person } of children)
    if (!person) insertChild(orm).run({ accountId, id, list, key, createdAt });
};

/** The shape of the ids that the server makes (UUIDv7): no other can be a key's child. */
const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A finder for one transaction. Where no key of the account filed anything yet, it does not look. */
export const childFinder = (orm: Orm, accountId: number): ChildFinder => {
  const any = selectAny(orm).get({ accountId }) !== undefined;
  return (list, before, after) => {
    if (!any) return [];
    const known = new Set(before.map(childId));
    return after.flatMap((item, at) => {
      const id = childId(item);
      if (id === null || known.has(id) || !OWN_ID.test(id)) return [];
      // A second item of the same id is a person's copy.
      known.add(id);
      const found = selectChild(orm).get({ accountId, id });
      return found?.list === list
        ? [{ list, id, key: found.key, createdAt: found.createdAt, at }]
        : [];
    });
  };
};
