import { and, asc, eq, sql } from "drizzle-orm";
import { breathe } from "../../domain/base/breathe.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { isObject, listField, textField } from "../../domain/base/payload.ts";
import { TABLES_BY_NEED } from "../../domain/base/record.ts";
import { filedOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import { childValue, tabTitle } from "../../domain/tasks/child.ts";
import { comparePlaces, type Placed } from "../../domain/tasks/positions.ts";
import { compareTexts } from "../../domain/base/text.ts";
import { DEFAULT_STATUS } from "../../domain/tasks/task.ts";
import type { ExportedTask } from "../../export/model.ts";
import type { VersionRow } from "../../domain/history/version.ts";
import { versionsBefore } from "../history/versions.ts";
import { direct, named, type Orm } from "../query.ts";
import { record } from "../schema/records.ts";
import type { Store } from "../store.ts";
import { findRecord } from "./find.ts";
import { readNames } from "./named-folders.ts";
import { LIVE_TASK } from "./reach.ts";

/** What of an account is exported: all, or a folder's tasks, or one task. */
export type Part = { readonly folderId: string | null; readonly taskId: string | null };

const READ = 200;

const selectIds = direct<{ readonly id: string }>((orm) =>
  orm
    .select(named({ id: record.id }))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, sql.placeholder("table")),
        sql`${record.id} > ${sql.placeholder("after")}`,
      ),
    )
    .orderBy(asc(record.id))
    .limit(READ),
);

/** Reads all that `read` gives after each last id. */
async function* inPages<Row extends { readonly id: string }>(
  read: (after: string) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let after: string | null = ""; after !== null;) {
    await breathe();
    const rows: readonly Row[] = await read(after);
    yield* rows;
    after = rows.length < READ ? null : (rows.at(-1)?.id ?? null);
  }
}

/**
 * Writes Docket's own JSON (`docket.export/1`): every record with its payload as it is stored, its author and its times;
 * deleted ones only if `withDeleted`, its earlier versions only if `withHistory`. `head` comes first. What breaks off is never valid JSON, so nobody takes it for complete.
 */
export async function* exportJson(
  { reader }: Pick<Store, "reader">,
  accountId: number,
  head: Readonly<Record<string, string>>,
  { withDeleted = false, withHistory = false }: Partial<WithMore> = {},
): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: FORMAT, ...head }).slice(0, -1)},"records":{`;
  for (const [index, table] of TABLES_BY_NEED.entries()) {
    yield `${index === 0 ? "" : ","}"${table}":[`;
    let [piece, separator] = ["", "\n"];
    const ids = inPages((after) => selectIds(reader).all({ accountId, table, after }));
    // One at a time: each may be 1 MiB.
    for await (const { id } of ids) {
      const row = await findRecord(reader, accountId, table, id);
      if (!row || (row.deletedAt !== null && !withDeleted)) continue;
      const history = withHistory ? await historyOf(reader, row) : [];
      piece += `${separator}${rowText(row, history)}`;
      separator = ",\n";
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
    yield `${piece}]`;
  }
  yield "}}\n";
}

/** Characters of a piece, at least. */
const PIECE = 64 * 1024;

const FORMAT = "docket.export/1";

/** What an export has beside what is live now. */
export type WithMore = { readonly withDeleted: boolean; readonly withHistory: boolean };

/** The earlier versions of a record, the oldest first. */
const historyOf = async (reader: Orm, row: RecordRow): Promise<readonly object[]> => {
  const versions: object[] = [];
  for (let last = Number.MAX_SAFE_INTEGER; ;) {
    await breathe();
    const next = await versionsBefore(reader, row.accountId, row, last);
    if (next.length === 0) return versions.toReversed();
    versions.push(...next.map(versionJson));
    last = next.at(-1)?.id ?? 0;
  }
};

const versionJson = (one: VersionRow): object => ({
  at: formatInstant(one.at),
  loss: one.loss,
  updated_at: one.updatedAt,
  deleted_at: one.deletedAt,
  writer: one.writerKind,
  by: one.byKind,
  difference: one.difference === null ? null : (JSON.parse(one.difference) as unknown),
  digest: one.digest,
  base: one.base,
  via: one.via,
});

const rowText = (row: RecordRow, history: readonly object[]): string => {
  const filed = filedOf(row);
  const text = JSON.stringify({
    id: row.id,
    updated_at: row.updatedAt,
    deleted_at: row.deletedAt,
    created_at: formatInstant(row.createdAt),
    created_by: row.createdBy,
    created_by_key: row.createdByKey,
    ...(filed.length === 0 ? {} : { filed }),
    ...(history.length === 0 ? {} : { history }),
  });
  return `${text.slice(0, -1)},"payload":${row.payload}}`;
};

type LiveTask = { readonly id: string; readonly folderId: string | null; readonly row: string };

const selectPlaces = direct<LiveTask>((orm) =>
  orm
    .select(named({ id: record.id, folderId: record.folderId, row: record.row }))
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        LIVE_TASK,
        sql`${record.id} > ${sql.placeholder("after")}`,
      ),
    )
    .orderBy(asc(record.id))
    .limit(READ),
);

/**
 * Returns an account's tasks as other tools can hold them: those in no folder first, then folder by folder, in the order in
 * which the app shows them.
 */
export async function* exportTasks(
  { reader }: Pick<Store, "reader">,
  accountId: number,
  { folderId, taskId }: Part,
): AsyncGenerator<ExportedTask> {
  const names = new Map(
    (await readNames(reader, accountId, null)).map(({ id, name }) => [id, name]),
  );
  const places: Place[] = [];
  const live = inPages((after) => selectPlaces(reader).all({ accountId, after }));
  for await (const row of live) {
    const isAsked =
      (folderId === null || row.folderId === folderId) && (taskId === null || row.id === taskId);
    if (isAsked) places.push(placeOf(row, names));
  }
  for (const { id, folder } of places.toSorted(
    (a, b) => compareTexts(a.folder, b.folder) || comparePlaces(a, b),
  )) {
    const row = await findRecord(reader, accountId, "sync_tasks", id);
    if (row && row.deletedAt === null) yield taskOf(row, folder);
  }
}

type Place = Placed & { readonly folder: string };

const placeOf = ({ id, folderId, row }: LiveTask, names: ReadonlyMap<string, string>): Place => {
  const { position, updated_at: updatedAt } = JSON.parse(row) as {
    readonly position: string | null;
    readonly updated_at: string;
  };
  const folder = folderId === null ? "" : (names.get(folderId) ?? "");
  return { id, folder, position, updatedAt };
};

const taskOf = (row: RecordRow, folder: string): ExportedTask => {
  const payload = payloadOf(row);
  return {
    folder,
    title: textField(payload, "title") ?? "",
    status: textField(payload, "status") ?? DEFAULT_STATUS,
    due: textField(payload, "due"),
    tags: listField(payload, "tags").filter((tag) => typeof tag === "string"),
    tabs: listField(payload, "pages").flatMap((page) => {
      const url = childValue("pages", page);
      if (url === null) return [];
      const addedAt = isObject(page) ? textField(page, "added_at") : null;
      return { url, title: tabTitle(page), addedAt };
    }),
    notes: listField(payload, "notes").flatMap((note) => childValue("notes", note) ?? []),
  };
};
