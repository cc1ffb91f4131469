import type { Database } from "bun:sqlite";
import { wyhash64 } from "../../../domain/base/hash.ts";
import { digestText } from "../../../domain/base/secret.ts";
import type { Restriction } from "../../../domain/people/restriction.ts";
import { deserialise, listField, type Payload } from "../../../domain/base/payload.ts";
import { childValue } from "../../../domain/tasks/child.ts";
import { searchable, searchText } from "../../../domain/tasks/search.ts";

/** What a step of following found: more to read, nothing more, or an index of other data. */
export type Followed = "caught up" | "foreign" | "more" | "no account";

/**
 * What an index holds: the tasks of an account, or those that a restricted key may see. FTS5 looks at every place of a
 * word before it leaves any out, so a key that shared the whole account's index could tell by the time of a search that
 * a word occurs where it may not look (`test/bench/outside.ts`).
 */
export type Scope = { readonly accountId: number; readonly restriction: Restriction | null };

/** The name of the scope's index. Two keys with the same restriction share one. */
export const scopeName = ({ accountId, restriction }: Scope): string => {
  if (restriction === null) return String(accountId);
  if (restriction.kind === "inbox") return `${accountId}-inbox`;
  const folders = JSON.stringify(restriction.folders.toSorted());
  return `${accountId}-f${digestText(folders).replaceAll(/[^A-Za-z0-9]/g, "")}`;
};

type Changed = {
  readonly id: string;
  readonly payload: string;
  readonly folderId: string | null;
  readonly gone: number;
  readonly changedAt: number;
};

type State = { readonly epoch: string; readonly stamp: number; readonly last: string };

/** One step reads at most this many tasks, and stops after the one that brings it over this time, in ms: others wait. */
const STEP_TASKS = 200;
const STEP_TIME = 20;

/** Tabs of a task that can be found by their address. */
const FINDABLE = 2_000;

const CHANGED = `SELECT id, payload, folder_id AS folderId, deleted_at IS NOT NULL AS gone, changed_at AS changedAt FROM record
  WHERE account_id = ? AND tbl = 'sync_tasks' AND (changed_at, id) > (?, ?) ORDER BY changed_at, id LIMIT ${STEP_TASKS}`;

/**
 * Reads the account's next changed tasks into its index, as a device follows them: by the records' stamps. All rows of
 * one stamp are committed together, so nothing is ever written behind the place reached. Call it in a transaction on
 * each of the two, that on the index begun first: the records are then never older than what the index has read.
 */
export const followSome = (
  index: Database,
  data: Database,
  { accountId, restriction }: Scope,
): Followed => {
  const account = data
    .query<{ hw: number; epoch: string; inbox: string | null }, [number]>(
      `SELECT hw, uid || ' ' || (SELECT epoch FROM server) AS epoch, inbox_task_id AS inbox
       FROM account WHERE id = ?`,
    )
    .get(accountId);
  if (!account) return "no account";
  const state = index.query<State, []>("SELECT epoch, stamp, last FROM state").get();
  // An index of the inbox task is one of other data once that is another task.
  const epoch = restriction?.kind === "inbox" ? `${account.epoch} ${account.inbox}` : account.epoch;
  if (state && (state.epoch !== epoch || state.stamp > account.hw)) return "foreign";
  const { stamp, last } = state ?? { stamp: 0, last: "" };
  const isWithin = ({ id, folderId }: Changed): boolean =>
    restriction === null ||
    (restriction.kind === "inbox"
      ? id === account.inbox
      : folderId !== null && restriction.folders.includes(folderId));
  const place = readStep(index, data, { accountId, isWithin }, { stamp, last });
  if (place === null && state) return "caught up";
  const reached = place ?? { stamp: account.hw, last: "" };
  index
    .query("INSERT OR REPLACE INTO state (id, epoch, stamp, last) VALUES (1, ?, ?, ?)")
    .run(epoch, reached.stamp, reached.last);
  return place === null ? "caught up" : "more";
};

type Place = Pick<State, "last" | "stamp">;

type Readers = { readonly accountId: number; readonly isWithin: (task: Changed) => boolean };

/** Returns the place reached; null if there was nothing to read. */
const readStep = (
  index: Database,
  data: Database,
  { accountId, isWithin }: Readers,
  { stamp, last }: Place,
): Place | null => {
  const until = performance.now() + STEP_TIME;
  let place: Place | null = null;
  using changed = data.prepare<Changed, [number, number, string]>(CHANGED);
  for (const task of changed.iterate(accountId, stamp, last)) {
    putTask(index, isWithin(task) ? task : { ...task, gone: 1 });
    place = { stamp: task.changedAt, last: task.id };
    if (performance.now() > until) break;
  }
  return place;
};

/**
 * Gives a changed task the highest number. A task in the trash stays, since a search also looks at its record. A deleted
 * one, and one that is no longer within the scope, leaves the index.
 */
const putTask = (index: Database, { id, payload, folderId, gone }: Changed): void => {
  const known = index.query<{ number: number }, [string]>("SELECT number FROM task WHERE id = ?");
  const before = known.get(id);
  if (before) {
    index.query("DELETE FROM search WHERE rowid = ?").run(before.number);
    index.query("DELETE FROM task WHERE number = ?").run(before.number);
  }
  if (gone === 1) return;
  const { lastInsertRowid } = index.query("INSERT INTO task (id) VALUES (?)").run(id);
  const content = deserialise(payload);
  const { title, tabs, urls, notes } = searchText(content);
  index
    .query(
      "INSERT INTO search (rowid, title, tabs, urls, notes, addresses, place) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      Number(lastInsertRowid),
      ...[title, tabs, urls, notes].map(searchable),
      [...new Set(addressesOf(content).slice(0, FINDABLE).map(addressToken))].join(" "),
      placeToken(folderId),
    );
};

/** The addresses of a task's tabs, as they were written. */
export const addressesOf = (payload: Payload): readonly string[] =>
  listField(payload, "pages").flatMap((page) => childValue("pages", page) ?? []);

/** The word by which the index knows the tasks in a folder, or in none. */
export const placeToken = (folderId: string | null): string =>
  folderId === null ? "none" : `f${wyhash64(folderId).toString(36)}`;

/** The word by which the index knows an address: two addresses may share it, so compare the addresses themselves. */
export const addressToken = (url: string): string => wyhash64(url).toString(36);
