import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Instant } from "../../domain/base/instant.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import type { LeftOut } from "../../import/model.ts";
import { direct, named, type Orm } from "../query.ts";
import { fileImport, imported } from "../schema/imports.ts";
import type { Imported, ImportedSoFar, ImportName } from "../transaction.ts";

/** An import, finished or under way. */
export type FileImport = Omit<typeof fileImport.$inferSelect, "accountId" | "digest" | "leftOut">;

const selectMade = direct<{ readonly id: string }>((orm) =>
  orm
    .select(named({ id: imported.recordId }))
    .from(imported)
    .where(
      and(
        eq(imported.accountId, sql.placeholder("accountId")),
        eq(imported.source, sql.placeholder("source")),
        sql`source is not null`,
      ),
    )
    .orderBy(asc(imported.importId), asc(imported.recordId)),
);

/** The tasks that imports have made of what a source calls by this name, the oldest first. */
export const madeOf = async (
  orm: Orm,
  accountId: number,
  source: string,
): Promise<readonly string[]> => {
  const found = await selectMade(orm).all({ accountId, source });
  return [...new Set(found.map(({ id }) => id))];
};

const upsertImported = direct((orm) =>
  orm
    .insert(imported)
    .values({
      accountId: sql.placeholder("accountId"),
      importId: sql.placeholder("importId"),
      table: sql.placeholder("table"),
      recordId: sql.placeholder("recordId"),
      source: sql.placeholder("source"),
      stamp: sql.placeholder("stamp"),
      tabs: sql.placeholder("tabs"),
    })
    .onConflictDoUpdate({
      target: [imported.importId, imported.table, imported.recordId],
      set: { stamp: sql`excluded.stamp`, tabs: sql`excluded.tabs` },
    }),
);

/** Notes what an import has made, or the tabs that it has added. */
export const noteImported = async (
  orm: Orm,
  accountId: number,
  importId: number,
  { table, id, source, stamp, tabs }: Imported,
): Promise<void> => {
  await upsertImported(orm).run({
    accountId,
    importId,
    table,
    recordId: id,
    source,
    stamp,
    tabs: tabs && JSON.stringify(tabs),
  });
};

/** Notes how far an import has come. */
export const noteProgress = async (
  orm: Orm,
  importId: number,
  { done, folders, tasks, tabs, notes, known }: ImportedSoFar,
  finishedAt: Instant | null,
): Promise<void> => {
  await orm
    .update(fileImport)
    .set({
      done,
      folders: sql`${fileImport.folders} + ${folders}`,
      tasks: sql`${fileImport.tasks} + ${tasks}`,
      tabs: sql`${fileImport.tabs} + ${tabs}`,
      notes: sql`${fileImport.notes} + ${notes}`,
      known: sql`${fileImport.known} + ${known}`,
      finishedAt,
    })
    .where(eq(fileImport.id, importId))
    .run();
};

/** Begins an import of `total` items, or continues an unfinished one of the same file. */
export const openImport = async (
  orm: Orm,
  accountId: number,
  { leftOut, ...file }: ImportName,
  total: number,
  now: Instant,
): Promise<{ readonly id: number; readonly done: number }> => {
  const open = await orm
    .select({ id: fileImport.id, done: fileImport.done })
    .from(fileImport)
    .where(
      and(
        eq(fileImport.accountId, accountId),
        eq(fileImport.digest, file.digest),
        isNull(fileImport.finishedAt),
        isNull(fileImport.undoneAt),
      ),
    )
    .get();
  if (open) return open;
  const made = await orm
    .insert(fileImport)
    .values({
      accountId,
      startedAt: now,
      ...file,
      total,
      skipped: leftOut.length,
      leftOut: JSON.stringify(leftOut.slice(0, MOST_LEFT_OUT)),
    })
    .returning({ id: fileImport.id })
    .get();
  return { id: made.id, done: 0 };
};

/** How much of what is left out is kept, so that it can be looked up. */
const MOST_LEFT_OUT = 1_000;

const COLUMNS = {
  id: fileImport.id,
  name: fileImport.name,
  format: fileImport.format,
  startedAt: fileImport.startedAt,
  finishedAt: fileImport.finishedAt,
  undoneAt: fileImport.undoneAt,
  upload: fileImport.upload,
  total: fileImport.total,
  done: fileImport.done,
  folders: fileImport.folders,
  tasks: fileImport.tasks,
  tabs: fileImport.tabs,
  notes: fileImport.notes,
  known: fileImport.known,
  skipped: fileImport.skipped,
};

/** The account's imports, the newest first. */
export const listImports = async (orm: Orm, accountId: number): Promise<readonly FileImport[]> =>
  orm
    .select(COLUMNS)
    .from(fileImport)
    .where(eq(fileImport.accountId, accountId))
    .orderBy(desc(fileImport.id))
    .limit(200)
    .all();

/** Returns an import of the account; null if there is none with that id. */
export const findImport = async (
  orm: Orm,
  accountId: number,
  id: number,
): Promise<FileImport | null> =>
  (await orm
    .select(COLUMNS)
    .from(fileImport)
    .where(and(eq(fileImport.accountId, accountId), eq(fileImport.id, id)))
    .get()) ?? null;

/** What an import left out: the first thousand of it. */
export const readLeftOut = async (orm: Orm, importId: number): Promise<readonly LeftOut[]> => {
  const row = await orm
    .select({ leftOut: fileImport.leftOut })
    .from(fileImport)
    .where(eq(fileImport.id, importId))
    .get();
  return JSON.parse(row?.leftOut ?? "[]") as readonly LeftOut[];
};

/** The imports of uploaded files that were begun and not finished, of all accounts. */
export const listUnfinished = async (
  orm: Orm,
): Promise<
  readonly { readonly id: number; readonly accountId: number; readonly upload: string }[]
> => {
  const rows = await orm
    .select({ id: fileImport.id, accountId: fileImport.accountId, upload: fileImport.upload })
    .from(fileImport)
    .where(
      and(isNull(fileImport.finishedAt), isNull(fileImport.undoneAt), isNotNull(fileImport.upload)),
    )
    .all();
  return rows.flatMap(({ upload, ...row }) => (upload === null ? [] : [{ ...row, upload }]));
};

/** Notes that an import was taken back. */
export const noteUndone = async (orm: Orm, id: number, now: Instant): Promise<void> => {
  await orm.update(fileImport).set({ undoneAt: now }).where(eq(fileImport.id, id)).run();
};

/** The next of what an import has made, after this record. Folders come after tasks. */
export const nextImported = async (
  orm: Orm,
  importId: number,
  after: RecordKey | null,
  limit: number,
): Promise<readonly Imported[]> => {
  const rows = await orm
    .select({
      table: imported.table,
      id: imported.recordId,
      source: imported.source,
      stamp: imported.stamp,
      tabs: imported.tabs,
    })
    .from(imported)
    .where(
      and(
        eq(imported.importId, importId),
        after
          ? or(
              sql`${imported.table} < ${after.table}`,
              and(eq(imported.table, after.table), gt(imported.recordId, after.id)),
            )
          : undefined,
      ),
    )
    .orderBy(desc(imported.table), asc(imported.recordId))
    .limit(limit)
    .all();
  return rows.map((row) => ({
    ...row,
    tabs: row.tabs === null ? null : (JSON.parse(row.tabs) as readonly string[]),
  }));
};

/** The file from which an import has made a record; null if none has. */
export const importOf = async (
  orm: Orm,
  accountId: number,
  { table, id }: RecordKey,
): Promise<Pick<FileImport, "format" | "name"> | null> =>
  (await orm
    .select({ format: fileImport.format, name: fileImport.name })
    .from(imported)
    .innerJoin(fileImport, eq(fileImport.id, imported.importId))
    .where(
      and(
        eq(imported.accountId, accountId),
        eq(imported.table, table),
        eq(imported.recordId, id),
        isNull(imported.tabs),
      ),
    )
    .orderBy(desc(imported.importId))
    .limit(1)
    .get()) ?? null;
