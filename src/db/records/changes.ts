import { and, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import { breathe } from "../../domain/base/breathe.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { markOf, withRev } from "../../domain/base/rev.ts";
import type { ActorKind } from "../../domain/people/account.ts";
import type { Restriction } from "../../domain/people/api-key.ts";
import { withFolderName } from "../../domain/tasks/projection.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { direct, named, type Orm, prepared } from "../query.ts";
import { apiKey } from "../schema/credentials.ts";
import { account, record } from "../schema/records.ts";
import type { Store } from "../store.ts";
import { withClaims } from "./claims.ts";
import { bucketKey, folderKey, INBOX } from "../../domain/records/departure.ts";
import { departuresIn } from "./departures.ts";
import { namesOf } from "./named-folders.ts";
import { type Pull, openPull } from "./pull.ts";
import {
  foldersWithin,
  LIVE_TASK,
  type Reach,
  reachOf,
  restrictionValues,
  tasksWithin,
} from "./reach.ts";

/** A record that changed, as it is now. What is gone is deleted, in the trash, or out of reach. */
export type ChangedRecord = {
  readonly type: "folder" | "task";
  readonly id: string;
  readonly state: "closed" | "gone" | "open";
  /** Whether it was created after the time that was asked for. */
  readonly isNew: boolean;
  readonly by: "agent" | "person" | null;
  /** The name of the key that changed it last. */
  readonly byKey: string | null;
  readonly at: Instant;
  /** The task as lists show it, as JSON text; null for a folder, and for what is gone. */
  readonly row: string | null;
};

export type Changes = {
  readonly changes: readonly ChangedRecord[];
  /** Everything up to it is among the changes: the next `since`. */
  readonly until: Instant;
  readonly hasMore: boolean;
};

type Asked = {
  readonly accountId: number;
  readonly restriction: Restriction | null;
  readonly since: Instant | null;
  /** About how many: a page ends with the end of a commit. */
  readonly limit: number;
};

/**
 * Returns what changed after `since`, each record once and as it is now, the oldest change first. Without `since`, nothing
 * but the time from which on changes can be asked for.
 */
export const readChanges = async (store: Store, asked: Asked, now: Instant): Promise<Changes> => {
  const { accountId, since, limit } = asked;
  if (since === null) {
    const { serverTime } = await openPull(store, accountId, null, null, now);
    return { changes: [], until: serverTime, hasMore: false };
  }
  const found: Found[] = [];
  // A key that is kept to folders may see few of the records in a window.
  for (let from = since; ;) {
    await breathe();
    const pull = await openPull(store, accountId, from, limit, now);
    if (!pull.empty) found.push(...(await foundIn(store.reader, asked, pull)));
    const end = found[limit - 1]?.at;
    const isCut = end !== undefined && end !== found.at(-1)?.at;
    if (end === undefined && pull.hasMore) {
      from = pull.until;
      continue;
    }
    const page = isCut ? found.filter(({ at }) => at <= end) : found;
    return {
      changes: await shown(store.reader, asked, pull, page, now),
      until: isCut ? end : pull.until,
      hasMore: isCut || pull.hasMore,
    };
  }
};

/** A record as it was found. */
type Found = Pick<ChangedRecord, "at" | "id" | "type"> & {
  readonly row: string;
  readonly folderId: string | null;
  readonly changedAt: Instant;
  readonly createdAt: Instant;
  readonly live: number;
  readonly status: string | null;
  readonly writerKind: ActorKind | null;
  readonly writerId: string | null;
  /** Whether its place was given up: it is gone, unless it came back. */
  readonly isOut: boolean;
};

/** Everything that changed in a window, in order. Of a record that changed and left, the later counts. */
const foundIn = async (orm: Orm, asked: Asked, window: Pull): Promise<readonly Found[]> => {
  const { accountId, restriction } = asked;
  const reach = reachOf(restriction);
  const values = { accountId, ...restrictionValues(restriction), ...window };
  const bounds = { since: window.since, until: window.until };
  const found = new Map<string, Found>();
  const add = (one: Found): void => void found.set(`${one.type} ${one.id}`, one);
  for (const type of ["folder", "task"] as const)
    for (const row of await selectChanged(orm, `${reach} ${type}`).all({ ...values, ...bounds }))
      add({ ...row, type, at: row.changedAt, isOut: false });
  for (const { container, taskId, stamp } of await departuresIn(
    orm,
    accountId,
    containersOf(restriction),
    bounds,
  )) {
    const ofBucket = taskId === "";
    const id = ofBucket ? container.slice(bucketKey("").length) : taskId;
    const tasks = await selectMoved(orm, `${ofBucket ? "bucket" : "task"} ${reach}`).all({
      ...values,
      id,
    });
    for (const row of tasks) {
      const known = found.get(`task ${row.id}`);
      // It can be seen again, or is in the list already.
      if (!ofBucket && (known || row.within === 1)) continue;
      add({ ...row, type: "task", at: stamp, isOut: row.within === 0, writerKind: null });
    }
  }
  return [...found.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
};

/** Where what a key can reach may have left from. */
const containersOf = (restriction: Restriction | null): readonly string[] => {
  if (restriction === null) return [];
  return restriction.kind === "inbox" ? [INBOX] : restriction.folders.map(folderKey);
};

const COLUMNS = named({
  id: record.id,
  row: record.row,
  folderId: record.folderId,
  changedAt: record.changedAt,
  createdAt: record.createdAt,
  live: record.live,
  status: record.status,
  writerKind: record.writerKind,
  writerId: record.writerId,
});

type Row = Omit<Found, "at" | "isOut" | "type">;

const OF_ACCOUNT = eq(record.accountId, sql.placeholder("accountId"));

/** To a key that sees only a part, what is not live does not exist. */
const changed = (reach: Reach, type: string): SQL | undefined => {
  if (type === "folder") return and(sql`${record.table} = 'sync_projects'`, foldersWithin(reach));
  return reach === "all" ? sql`${record.table} = 'sync_tasks'` : and(LIVE_TASK, tasksWithin(reach));
};

const selectChanged = direct<Row, `${Reach} ${"folder" | "task"}`>((orm, shape) => {
  const [reach = "all", type = ""] = shape.split(" ") as [Reach, string];
  return orm
    .select(COLUMNS)
    .from(record)
    .where(
      and(
        OF_ACCOUNT,
        changed(reach, type),
        gt(record.changedAt, sql.placeholder("since")),
        lte(record.changedAt, sql.placeholder("until")),
      ),
    )
    .orderBy(record.changedAt, record.id);
});

type MovedRow = Row & { readonly within: number };

/** A task that left, or the tasks of a bucket; `within` is 1 for one that can be seen all the same. */
const selectMoved = direct<MovedRow, `${"bucket" | "task"} ${Reach}`>((orm, shape) => {
  const [by, reach = "all"] = shape.split(" ") as [string, Reach];
  const isSeen = and(LIVE_TASK, tasksWithin(reach)) ?? LIVE_TASK;
  return orm
    .select({ ...COLUMNS, within: sql<number>`case when ${isSeen} then 1 else 0 end`.as("within") })
    .from(record)
    .where(
      and(
        OF_ACCOUNT,
        sql`${record.table} = 'sync_tasks'`,
        by === "task"
          ? eq(record.id, sql.placeholder("id"))
          : and(
              sql`${record.bucketId} is not null`,
              eq(record.bucketId, sql.placeholder("id")),
              sql`${record.deletedAt} is null`,
              inFolders(reach),
            ),
      ),
    );
});

/** Whether a task is where the key looks, were it not for the trash. */
const inFolders = (reach: Reach): SQL | undefined =>
  reach === "inbox"
    ? sql`${record.id} = (select ${account.inboxTaskId} from ${account} where ${account.id} = ${sql.placeholder("accountId")})`
    : tasksWithin(reach);

const shown = async (
  orm: Orm,
  { accountId, restriction, since }: Asked,
  { epoch }: Pull,
  found: readonly Found[],
  now: Instant,
): Promise<readonly ChangedRecord[]> => {
  const there = found.filter(isThere);
  const folders = new Set(there.flatMap(({ folderId }) => folderId ?? []));
  const names = await namesOf(orm, accountId, [...folders], restriction);
  const keys = await keyNames(orm, there);
  const mark = markOf(epoch);
  const tasks = there.filter(({ type }) => type === "task");
  const rows = await withClaims(
    orm,
    accountId,
    tasks.map(({ row, folderId, changedAt }) =>
      withRev(withFolderName(row, names.get(folderId ?? "") ?? null), changedAt, mark),
    ),
    now,
  );
  const rowOf = new Map(tasks.map((task, at) => [task, rows[at] ?? null]));
  return found.map((one) => {
    const { type, id, at, status, writerKind, writerId, createdAt } = one;
    if (!isThere(one)) return { ...GONE, type, id, at };
    return {
      type,
      id,
      state: type === "task" && isClosed(status ?? "") ? "closed" : "open",
      isNew: createdAt >= (since ?? 0),
      by: writerKind === null ? null : writerKind === "api_key" ? "agent" : "person",
      byKey: writerKind === "api_key" ? (keys.get(writerId ?? "") ?? null) : null,
      at,
      row: rowOf.get(one) ?? null,
    };
  });
};

const isThere = ({ live, isOut }: Found): boolean => live === 1 && !isOut;

/** What is shown of a record that is gone, beside its id: nothing. */
const GONE = { state: "gone", isNew: false, by: null, byKey: null, row: null } as const;

const selectName = prepared((orm) =>
  orm
    .select({ name: apiKey.name })
    .from(apiKey)
    .where(eq(apiKey.id, sql.placeholder("id")))
    .prepare(),
);

const keyNames = async (
  orm: Orm,
  found: readonly Found[],
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>();
  for (const id of new Set(found.flatMap(({ writerId }) => writerId ?? []))) {
    const key = await selectName(orm).get({ id });
    if (key) names.set(id, key.name);
  }
  return names;
};
