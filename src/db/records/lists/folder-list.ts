import { and, asc, desc, eq, sql } from "drizzle-orm";
import { breathe } from "../../../domain/base/breathe.ts";
import { markOf, withRev } from "../../../domain/base/rev.ts";
import { readEpoch } from "../clock.ts";
import { compareTexts } from "../../../domain/base/text.ts";
import type { Restriction } from "../../../domain/people/api-key.ts";
import { type Orm, direct, named } from "../../query.ts";
import { record } from "../../schema/records.ts";
import type { Store } from "../../store.ts";
import { withCount } from "../folders.ts";
import { foldersWithin, LIVE_TASK, restrictionValues, type Reach, reachOf } from "../reach.ts";

/**
 * Returns the account's live folders within the restriction as JSON texts, oldest first, each with the number of tasks
 * that `GET /tasks?project_id=` would list.
 */
export const listFolders = async (
  store: Store,
  accountId: number,
  restriction: Restriction | null,
): Promise<readonly string[]> => {
  const { reader } = store;
  const folders = await readFolders(reader, accountId, restriction);
  const texts: string[] = [];
  const mark = markOf(await readEpoch(reader));
  for (const { id, row, changedAt } of folders.toSorted(oldestFirst)) {
    const count = await countOpen(reader, accountId, id);
    texts.push(withRev(withCount(row, count), changedAt, mark));
  }
  return texts;
};

type Folder = {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly row: string;
};

const oldestFirst = (a: Folder, b: Folder): number =>
  a.createdAt - b.createdAt || compareTexts(a.id, b.id);

const FOLDERS_AT_ONCE = 200;

// In the order of the index of live folders: others are not even looked at.
const selectFolders = direct<Folder, Reach>((orm, reach) => {
  const { id, title, createdAt, changedAt, row } = record;
  return orm
    .select(named({ id, title, createdAt, changedAt, row }))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        sql`${record.table} = 'sync_projects' and ${record.live} = 1`,
        sql`(${title}, ${createdAt}, ${id}) >
          (${sql.placeholder("title")}, ${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`,
        foldersWithin(reach),
      ),
    )
    .orderBy(asc(title), asc(createdAt), asc(id))
    .limit(FOLDERS_AT_ONCE);
});

/** Before any folder: times are not negative. */
const BEGINNING = { title: "", createdAt: -1, id: "" };

const readFolders = async (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
): Promise<readonly Folder[]> => {
  const values = { accountId, ...restrictionValues(restriction) };
  const found: Folder[] = [];
  for (;;) {
    await breathe();
    const { title, createdAt, id } = found.at(-1) ?? BEGINNING;
    const next = await selectFolders(orm, reachOf(restriction)).all({
      ...values,
      title,
      createdAt,
      id,
    });
    found.push(...next);
    if (next.length < FOLDERS_AT_ONCE) return found;
  }
};

/** Tasks that are counted at once. It takes about 1 ms. */
const COUNTED = 10_000;

type WalkPosition = { readonly changedAt: number; readonly id: string };

const openIn = (isFirst: boolean) =>
  and(
    eq(record.accountId, sql.placeholder("accountId")),
    eq(record.folderId, sql.placeholder("folderId")),
    LIVE_TASK,
    sql`${record.open} = 1`,
    isFirst
      ? undefined
      : sql`(${record.changedAt}, ${record.id}) <
          (${sql.placeholder("changedAt")}, ${sql.placeholder("id")})`,
  );

/** Where the next `COUNTED` open tasks of a folder end. Nothing if there are fewer. */
const selectEnd = direct<WalkPosition, "first" | "next">((orm, which) =>
  orm
    .select(named({ changedAt: record.changedAt, id: record.id }))
    .from(record)
    .where(openIn(which === "first"))
    .orderBy(desc(record.changedAt), desc(record.id))
    .limit(1)
    .offset(COUNTED - 1),
);

const countRest = direct<{ readonly count: number }, "first" | "next">((orm, which) =>
  orm
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(record)
    .where(openIn(which === "first")),
);

const countOpen = async (orm: Orm, accountId: number, folderId: string): Promise<number> => {
  let [count, place] = [0, null as WalkPosition | null];
  for (;;) {
    await breathe();
    const values = { accountId, folderId, ...place };
    const end = await selectEnd(orm, place ? "next" : "first").get(values);
    if (end === undefined)
      return count + ((await countRest(orm, place ? "next" : "first").get(values))?.count ?? 0);
    count += COUNTED;
    place = end;
  }
};
