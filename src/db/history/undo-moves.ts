import { and, eq, ne, sql } from "drizzle-orm";
import { leavers, type Act, type MovedHere, tabName } from "../../domain/history/undo.ts";
import { isObject, listField } from "../../domain/base/payload.ts";
import type { RecordKey } from "../../domain/base/record.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { SOMEONE } from "../../domain/people/account.ts";
import type { VersionRow } from "../../domain/history/version.ts";
import { contentOf, filedOf, payloadOf, type RecordRow } from "../../domain/records/row.ts";
import { withoutTabs } from "../../domain/tasks/move-tabs.ts";
import { editRecord } from "../records/write.ts";
import { version } from "../schema/history.ts";
import { type Orm, prepared } from "../query.ts";
import type { History, Transaction } from "../transaction.ts";

// A key moves tabs from one task to another in one commit. Only as a whole can that be undone: a tab that one task lost,
// and the other one does not get back, would be lost.

/** The versions that a key replaced, by its id. */
export const BY_KEY = and(
  eq(version.accountId, sql.placeholder("accountId")),
  eq(version.byId, sql.placeholder("keyId")),
  // A literal, not a parameter: SQLite can only match a partial index against a literal.
  sql`${version.byKind} = 'api_key'`,
);

const selectOther = prepared((orm) =>
  orm
    .select({ id: version.recordId })
    .from(version)
    .where(
      and(
        BY_KEY,
        eq(version.at, sql.placeholder("at")),
        eq(version.stamp, sql.placeholder("stamp")),
        eq(version.table, "sync_tasks"),
        ne(version.recordId, sql.placeholder("id")),
      ),
    )
    .limit(1)
    .prepare(),
);

/** Returns the id of the other task that the same call of a key changed; null if it changed none. */
export const findOtherTask = async (
  orm: Orm,
  { accountId, byId: keyId, at, stamp, recordId: id }: VersionRow,
): Promise<string | null> =>
  stamp === null
    ? null
    : ((await selectOther(orm).get({ accountId, keyId, at, stamp, id }))?.id ?? null);

/** What a change by a key moved, and from or to which task. */
export type Move = MovedHere & { readonly other: string };

/** What it takes to find a move. */
export type MoveReads = {
  readonly history: Pick<History, "otherTask">;
  readonly records: { readonly find: (key: RecordKey) => Promise<RecordRow | null> };
};

/** Returns what a key's change moved to or from the task; null if it moved nothing. */
export const moveOf = async (
  { history, records }: MoveReads,
  of: VersionRow,
  act: Omit<Act, "moved">,
): Promise<Move | null> => {
  if (of.table !== "sync_tasks" || act.before === null) return null;
  const left = leavers(act);
  const came = leavers({ ...act, before: act.after, after: act.before }).filter(
    (tab) => !isFiledAt(tab, formatInstant(of.at)),
  );
  if (left.length === 0 && came.length === 0) return null;
  const other = await history.otherTask(of);
  if (other === null) return null;
  const row = await records.find({ table: "sync_tasks", id: other });
  return { other, came: new Set(came.map(tabName)), left: stillThere(left, row) };
};

/** What a key files says so, and when: it came from nowhere else. */
const isFiledAt = (tab: unknown, at: string): boolean => isObject(tab) && tab["created_at"] === at;

/** Those of the tabs that a task has now, as they are there, with what was filed of each. */
const stillThere = (tabs: readonly unknown[], row: RecordRow | null): MovedHere["left"] => {
  if (row === null || row.deletedAt !== null) return new Map();
  const there = listField(payloadOf(row), "pages");
  const places = new Map(there.map((tab, at) => [tabName(tab), at]));
  const filed = new Map(filedOf(row).map((child) => [child.at, child]));
  return new Map(
    tabs.flatMap((tab) => {
      const place = places.get(tabName(tab));
      if (place === undefined) return [];
      return [[tabName(tab), { tab: there[place], filed: filed.get(place) ?? null }] as const];
    }),
  );
};

/** Takes tabs out of the task to which they had been moved: they are back in the other one. */
export const takeOut = async (
  tx: Transaction,
  id: string,
  names: readonly string[],
): Promise<void> => {
  const [row] = await tx.records.find([{ table: "sync_tasks", id }]);
  if (!row || row.deletedAt !== null) return;
  const pages = listField(payloadOf(row), "pages").map(tabName);
  const places = names.map((name) => pages.indexOf(name)).filter((place) => place !== -1);
  const content = withoutTabs(contentOf(row), places);
  await editRecord(tx, row, content, { loss: "undone", by: SOMEONE });
};
