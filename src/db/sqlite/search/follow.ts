import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { wyhash64 } from "../../../domain/base/hash.ts";
import { deserialise, listField, type Payload } from "../../../domain/base/payload.ts";
import { childValue } from "../../../domain/tasks/child.ts";
import { searchable, searchText } from "../../../domain/tasks/search.ts";
import { isDamaged, isStorageFault } from "../faults.ts";
import {
  closeIndex,
  fileNumber,
  isWhole,
  openIndex,
  openToRead,
  rangeOf,
  removeIndex,
} from "./index-file.ts";

/** What keeps the index up with the records. */
export type Follower = {
  /**
   * Reads an account's next changes. Returns `more` if there may be further ones, and `stuck` if the disk takes nothing: a
   * search then finds what the index has read.
   */
  readonly step: (accountId: number) => "all" | "more" | "stuck";
  /** Whether anything was committed since the last look. */
  readonly hasNews: () => boolean;
  /** Makes the index again if it is what is damaged. Returns whether it was. */
  readonly mend: (error: unknown) => boolean;
  /** Grows whenever the index is another file than before. */
  readonly generation: () => number;
  readonly close: () => void;
};

export const openFollower = (directory: string): Follower => {
  const data = openToRead(join(directory, "docket.db"));
  const version = data.prepare<unknown, []>("PRAGMA data_version");
  let index: Database | null = null;
  let file = 0;
  let generation = 0;
  let seen: unknown = null;

  /** The index, made again if somebody has deleted its file together with an account. */
  const present = (): Database => {
    if (index && fileNumber(directory) === file) return index;
    index?.close();
    index = null;
    index = openIndex(directory);
    file = fileNumber(directory);
    generation += 1;
    return index;
  };
  /** Everything in the index comes from the records, so it can always be made again. */
  const remake = (): void => {
    index?.close();
    index = null;
    removeIndex(directory);
    present();
  };
  const leave = (): void => {
    try {
      if (index?.inTransaction) index.run("ROLLBACK");
    } catch {
      // The error that made it necessary is the one to judge.
    }
  };
  const mend = (error: unknown): boolean => {
    if (!isDamaged(error) || (index && isWhole(index))) return false;
    remake();
    return true;
  };

  return {
    step: (accountId) => {
      try {
        const database = present();
        database.run("BEGIN IMMEDIATE");
        const followed = followSome(database, data, accountId);
        if (followed !== "foreign") {
          database.run("COMMIT");
          return followed;
        }
        leave();
        remake();
        return "more";
      } catch (error) {
        leave();
        if (isStorageFault(error) && !isDamaged(error)) return "stuck";
        if (mend(error)) return "more";
        throw error;
      }
    },
    hasNews: () => {
      const now = version.values()[0]?.[0];
      const changed = now !== seen;
      seen = now;
      return changed;
    },
    mend,
    generation: () => generation,
    close: () => {
      version.finalize();
      data.close();
      if (index) closeIndex(index);
    },
  };
};

/** What a step of following found: nothing more to read, an index of other data, or that there may be more. */
type Followed = "all" | "foreign" | "more";

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
 * Reads an account's next changed tasks into the index, as a device follows them: by the records' stamps. All rows of
 * one stamp are committed together, so nothing is ever written behind the place reached. Call it in a transaction on the index.
 */
const followSome = (index: Database, data: Database, accountId: number): Followed => {
  const account = data
    .query<{ hw: number; epoch: string }, [number]>(
      "SELECT hw, uid || ' ' || (SELECT epoch FROM server) AS epoch FROM account WHERE id = ?",
    )
    .get(accountId);
  if (!account) return "all";
  const state = index
    .query<State, [number]>("SELECT epoch, stamp, last FROM state WHERE account = ?")
    .get(accountId);
  if (state && (state.epoch !== account.epoch || state.stamp > account.hw)) return "foreign";
  const until = performance.now() + STEP_TIME;
  let reached = state;
  using changed = data.prepare<Changed, [number, number, string]>(CHANGED);
  for (const task of changed.iterate(accountId, state?.stamp ?? 0, state?.last ?? "")) {
    putTask(index, accountId, task);
    reached = { epoch: account.epoch, stamp: task.changedAt, last: task.id };
    if (performance.now() > until) break;
  }
  if (!reached || reached === state) return "all";
  index
    .query("INSERT OR REPLACE INTO state (account, epoch, stamp, last) VALUES (?, ?, ?, ?)")
    .run(accountId, account.epoch, reached.stamp, reached.last);
  return "more";
};

/**
 * Gives a changed task the account's highest number. A task in the trash stays, since a search also looks at its record.
 * A deleted one leaves the index.
 */
const putTask = (
  index: Database,
  accountId: number,
  { id, payload, folderId, gone }: Changed,
): void => {
  const before = numberOf(index, accountId, id);
  if (before !== null) {
    index.query("DELETE FROM search WHERE rowid = ?").run(before);
    index.query("DELETE FROM task WHERE number = ?").run(before);
  }
  if (gone === 1) return;
  const number = nextNumber(index, accountId);
  index.query("INSERT INTO task (number, account, id) VALUES (?, ?, ?)").run(number, accountId, id);
  const content = deserialise(payload);
  const { title, tabs, urls, notes } = searchText(content);
  index
    .query(
      "INSERT INTO search (rowid, title, tabs, urls, notes, addresses, place) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(
      number,
      ...[title, tabs, urls, notes].map(searchable),
      [...new Set(addressesOf(content).slice(0, FINDABLE).map(addressToken))].join(" "),
      placeToken(folderId),
    );
};

/** The number of a task in the index; null if the index does not have it. */
export const numberOf = (index: Database, accountId: number, id: string): number | null =>
  index
    .query<{ number: number }, [number, string]>(
      "SELECT number FROM task WHERE account = ? AND id = ?",
    )
    .get(accountId, id)?.number ?? null;

const nextNumber = (index: Database, accountId: number): number => {
  const [first, last] = rangeOf(accountId);
  const highest = index
    .query<{ number: number | null }, [number, number]>(
      "SELECT max(number) AS number FROM task WHERE number BETWEEN ? AND ?",
    )
    .get(first, last);
  return (highest?.number ?? first) + 1;
};

/** The addresses of a task's tabs, as they were written. */
export const addressesOf = (payload: Payload): readonly string[] =>
  listField(payload, "pages").flatMap((page) => childValue("pages", page) ?? []);

/** The word by which the index knows the tasks in a folder, or in none. */
export const placeToken = (folderId: string | null): string =>
  folderId === null ? "none" : `f${wyhash64(folderId).toString(36)}`;

/** The word by which the index knows an address: two addresses may share it, so compare the addresses themselves. */
export const addressToken = (url: string): string => wyhash64(url).toString(36);
