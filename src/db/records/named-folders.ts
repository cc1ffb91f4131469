import { and, asc, eq, sql } from "drizzle-orm";
import { breathe } from "../../domain/base/breathe.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import type { Restriction } from "../../domain/people/api-key.ts";
import { record } from "../schema/records.ts";
import { type Orm, direct, named, prepared } from "../query.ts";
import { foldersWithin, LIVE_TASK, restrictionValues, type Reach, reachOf } from "./reach.ts";

const LIVE_FOLDER = sql`${record.table} = 'sync_projects' and ${record.live} = 1`;

const selectFolder = direct<{ readonly id: string }, Reach>((orm, reach) =>
  orm
    .select(named({ id: record.id }))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.id, sql.placeholder("id")),
        LIVE_FOLDER,
        foldersWithin(reach),
      ),
    ),
);

/** Whether there is a live folder with that id within the restriction. */
export const hasFolder = async (
  orm: Orm,
  accountId: number,
  id: string,
  restriction: Restriction | null,
): Promise<boolean> => {
  const select = selectFolder(orm, reachOf(restriction));
  return (await select.get({ accountId, id, ...restrictionValues(restriction) })) !== undefined;
};

const NAMES_AT_ONCE = 1_000;

type Named = NamedFolder & { readonly createdAt: number };

// In the order of the index of live folders, which has all that is read.
const selectNames = direct<Named, Reach>((orm, reach) => {
  const { id, title, createdAt } = record;
  return orm
    .select(named({ id, name: title, createdAt }))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        LIVE_FOLDER,
        sql`(${title}, ${createdAt}, ${id}) >
          (${sql.placeholder("name")}, ${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`,
        foldersWithin(reach),
      ),
    )
    .orderBy(asc(title), asc(createdAt), asc(id))
    .limit(NAMES_AT_ONCE);
});

/** Before any folder: times are not negative. */
const BEGINNING = { name: "", createdAt: -1, id: "" };

/** Returns the live folders within the restriction. */
export const readNames = async (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
): Promise<readonly NamedFolder[]> => {
  const values = { accountId, ...restrictionValues(restriction) };
  const found: Named[] = [];
  for (;;) {
    await breathe();
    const next = await selectNames(orm, reachOf(restriction)).all({
      ...values,
      ...(found.at(-1) ?? BEGINNING),
    });
    found.push(...next);
    if (next.length < NAMES_AT_ONCE) return found;
  }
};

/** The folders with these ids, each found by its key: SQLite would walk all of the account's folders. */
const WANTED = sql`(select value as wanted_id from json_each(${sql.placeholder("ids")})) as wanted
  cross join ${record} on ${record.accountId} = ${sql.placeholder("accountId")}
    and ${record.table} = 'sync_projects' and ${record.id} = wanted.wanted_id`;

const selectNamed = direct<NamedFolder, Reach>((orm, reach) =>
  orm
    .select(named({ id: record.id, name: record.title }))
    .from(WANTED)
    .where(and(LIVE_FOLDER, foldersWithin(reach))),
);

/** Returns the names of folders by their ids: of those that are live and within the restriction. */
export const namesOf = async (
  orm: Orm,
  accountId: number,
  ids: readonly string[],
  restriction: Restriction | null,
): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  const values = { accountId, ids: JSON.stringify(ids), ...restrictionValues(restriction) };
  const found = await selectNamed(orm, reachOf(restriction)).all(values);
  return new Map(found.map(({ id, name }) => [id, name]));
};

const selectInside = prepared((orm) =>
  orm
    .select({ id: record.id })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.folderId, sql.placeholder("id")),
        sql`${record.table} = 'sync_tasks' and ${record.deletedAt} is null`,
      ),
    )
    .prepare(),
);

/** Returns the ids of the folder's tasks that are not deleted. */
export const tasksInFolder = async (
  orm: Orm,
  accountId: number,
  id: string,
): Promise<readonly string[]> =>
  (await selectInside(orm).all({ accountId, id })).map((task) => task.id);

const selectTasks = direct<{ readonly id: string; readonly row: string }>((orm) =>
  orm
    .select(named({ id: record.id, row: record.row }))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.folderId, sql.placeholder("folderId")),
        LIVE_TASK,
        sql`${record.id} > ${sql.placeholder("after")}`,
      ),
    )
    .orderBy(asc(record.id))
    .limit(NAMES_AT_ONCE),
);

/** Returns the last position that a live task of the folder has; null if none has one. */
export const lastPlaceIn = async (
  orm: Orm,
  accountId: number,
  folderId: string,
): Promise<string | null> => {
  let last: string | null = null;
  for (let after = ""; ;) {
    await breathe();
    const tasks = await selectTasks(orm).all({ accountId, folderId, after });
    for (const { row } of tasks) {
      const { position } = JSON.parse(row) as { readonly position: string | null };
      if (position !== null && (last === null || position > last)) last = position;
    }
    const end = tasks.at(-1);
    if (!end || tasks.length < NAMES_AT_ONCE) return last;
    after = end.id;
  }
};
