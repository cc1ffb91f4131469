import { and, eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Payload } from "../../domain/base/payload.ts";
import { searchable, type SearchText, searchText } from "../../domain/tasks/search.ts";
import { direct, named } from "./direct-query.ts";
import type { Orm } from "./orm.ts";
import { searchTask } from "../schema/search.ts";

/**
 * The full-text index, created by hand in a migration. It is not in the schema, from which Drizzle generates
 * migrations.
 */
const search = sqliteTable("search", {
  rowid: integer().notNull(),
  account: text().notNull(),
  title: text().notNull(),
  tabs: text().notNull(),
  urls: text().notNull(),
  notes: text().notNull(),
});

const VALUES = {
  account: sql`${sql.placeholder("account")}`,
  title: sql`${sql.placeholder("title")}`,
  tabs: sql`${sql.placeholder("tabs")}`,
  urls: sql`${sql.placeholder("urls")}`,
  notes: sql`${sql.placeholder("notes")}`,
};

const insertText = direct((orm) =>
  orm.insert(search).values({ rowid: sql.placeholder("id"), ...VALUES }),
);

/** A contentless index must be given all columns at once. */
const updateText = direct((orm) =>
  orm
    .update(search)
    .set(VALUES)
    .where(eq(search.rowid, sql.placeholder("id"))),
);

const deleteText = direct((orm) =>
  orm.delete(search).where(eq(search.rowid, sql.placeholder("id"))),
);

const task = {
  accountId: sql.placeholder("accountId"),
  taskId: sql.placeholder("taskId"),
};

const selectNumber = direct<{ readonly id: number }>((orm) =>
  orm
    .select(named({ id: searchTask.id }))
    .from(searchTask)
    .where(and(eq(searchTask.accountId, task.accountId), eq(searchTask.taskId, task.taskId))),
);

/** Without RETURNING: that would make SQLite flush what the index gathers within one transaction. */
const insertNumber = direct((orm) => orm.insert(searchTask).values(task).onConflictDoNothing());

const deleteNumber = direct((orm) =>
  orm.delete(searchTask).where(eq(searchTask.id, sql.placeholder("id"))),
);

/**
 * Keeps the full-text index in step with the task's payload, in the transaction that stores it. A deleted
 * task (null) leaves the index; `before` is null if the task was deleted or did not exist. A task in the
 * trash stays, since a search also checks its record.
 */
export const indexTask = (
  orm: Orm,
  { accountId, id: taskId }: { readonly accountId: number; readonly id: string },
  payload: Payload | null,
  before: Payload | null,
): void => {
  const now = payload && searchText(payload);
  const then = before && searchText(before);
  if (isSame(now, then)) return;
  const known = then && entryOf(orm, accountId, taskId);
  if (now !== null) putText(orm, accountId, known ?? makeEntry(orm, accountId, taskId), now);
  else if (known !== null) removeText(orm, known);
};

const isSame = (now: SearchText | null, then: SearchText | null): boolean =>
  now === then ||
  (now !== null &&
    now.title === then?.title &&
    now.tabs === then.tabs &&
    now.urls === then.urls &&
    now.notes === then.notes);

/** A task's number in the index. */
type Entry = { readonly id: number; readonly isNew: boolean };

const entryOf = (orm: Orm, accountId: number, taskId: string): Entry | null => {
  const found = selectNumber(orm).get({ accountId, taskId });
  return found ? { id: found.id, isNew: false } : null;
};

/** If a number was left behind, it is reused: it must not make a push fail. */
const makeEntry = (orm: Orm, accountId: number, taskId: string): Entry => {
  const { changes, lastInsertRowid } = insertNumber(orm).run({ accountId, taskId });
  const left = changes === 0 ? entryOf(orm, accountId, taskId) : null;
  return left ?? { id: Number(lastInsertRowid), isNew: true };
};

const putText = (
  orm: Orm,
  accountId: number,
  { id, isNew }: Entry,
  { title, tabs, urls, notes }: SearchText,
): void => {
  (isNew ? insertText : updateText)(orm).run({
    id,
    account: String(accountId),
    title: searchable(title),
    tabs: searchable(tabs),
    urls: searchable(urls),
    notes: searchable(notes),
  });
};

const removeText = (orm: Orm, { id }: Entry): void => {
  deleteText(orm).run({ id });
  deleteNumber(orm).run({ id });
};
