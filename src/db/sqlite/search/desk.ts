import { Database } from "bun:sqlite";
import { join } from "node:path";
import { readRestriction } from "../../../domain/people/restriction.ts";
import { deserialise } from "../../../domain/base/payload.ts";
import { breathe } from "../../../domain/base/breathe.ts";
import { type FoundPage, readFound } from "../../records/lists/task-page.ts";
import type { Asked } from "../../records/lists/task-filter.ts";
import { hasWords } from "../../../domain/tasks/search.ts";
import { isDamaged, isStorageFault } from "../faults.ts";
import { ormOf } from "../orm.ts";
import { addressesOf, followSome, type Scope, scopeName } from "./follow.ts";
import { type IndexFile, openIndex, sweepIndexes } from "./index-file.ts";
import { comesBack, findHits, type Sought } from "./query.ts";

/** One scope's index at work, with its own connection to the records. */
export type Desk = {
  /** Reads what was committed and not read yet, a step at a time. Returns whether that was all. */
  readonly step: () => boolean;
  /** Searches. Returns null if there is so much left to read that it must go on with `step` first. */
  readonly search: (asked: Asked) => Promise<FoundPage | null>;
  /** Whether anything was committed since the last look. */
  readonly hasNews: () => boolean;
  readonly close: () => void;
};

/** Steps that a search makes itself, inside its own snapshot of the records. */
const LAST_STEPS = 4;

export const openDesk = (directory: string, scope: Scope): Desk => {
  const { accountId } = scope;
  const data = openData(directory);
  const orm = ormOf(data);
  const version = data.prepare<unknown, []>("PRAGMA data_version");
  let opened: IndexFile | null = openIndex(directory, scopeName(scope));
  let seen: unknown = null;

  /** If it could not be made again before, for want of room perhaps, the next use tries. */
  const present = (): IndexFile => (opened ??= openIndex(directory, scopeName(scope)));
  /** The index is derived, so a damaged one is made again. */
  const remake = (): void => {
    const broken = opened;
    opened = null;
    broken?.remove();
    present();
  };
  /** Runs `work` with the records as they are now. They are never older than what the index has read. */
  const inSnapshot = <Value>(work: () => Value): Value => {
    present().database.run("BEGIN IMMEDIATE");
    data.run("BEGIN");
    return work();
  };
  const leave = (how: "COMMIT" | "ROLLBACK"): void => {
    if (data.inTransaction) data.run("ROLLBACK");
    if (opened?.database.inTransaction) opened.database.run(how);
  };
  const follow = (steps: number): boolean => {
    for (let step = 0; step < steps; step++) {
      const followed = followSome(present().database, data, scope);
      if (followed === "foreign") throw new Foreign();
      if (followed !== "more") return true;
    }
    return false;
  };
  /** Undoes what failed, and begins anew if the index cannot be used. */
  const recover = (error: unknown): void => {
    try {
      leave("ROLLBACK");
    } catch {
      // The error that made it necessary is the one to judge.
    }
    if (!(error instanceof Foreign) && !isBroken(error, opened)) throw error;
    remake();
  };

  /** Reads what is new before a search. Where the disk takes nothing, the search finds what the index has read. */
  const catchUp = (): "all" | "more" | "stuck" => {
    try {
      return inSnapshot(() => follow(LAST_STEPS)) ? "all" : "more";
    } catch (error) {
      if (!takesNothing(error)) throw error;
      leave("ROLLBACK");
      present().database.run("BEGIN");
      data.run("BEGIN");
      return "stuck";
    }
  };
  const commit = (): boolean => {
    try {
      leave("COMMIT");
      return true;
    } catch (error) {
      if (!takesNothing(error)) throw error;
      leave("ROLLBACK");
      return false;
    }
  };

  return {
    step: () => {
      try {
        const done = inSnapshot(() => follow(1));
        return !commit() || done;
      } catch (error) {
        // There is nothing to be done now. The next use tries again.
        if (takesNothing(error)) {
          leave("ROLLBACK");
          return true;
        }
        recover(error);
        return false;
      }
    },
    search: async (asked) => {
      try {
        const caughtUp = catchUp();
        if (caughtUp === "more" && commit()) return null;
        const { database } = present();
        const sought = soughtBy(asked, database, data);
        const holds = holder(data, accountId, sought);
        const stopwatch = { before: 0, since: performance.now() };
        const worked = () => stopwatch.before + performance.now() - stopwatch.since;
        const hits = await breathing(findHits(database, sought, holds, worked), stopwatch);
        const page = readFound(orm, asked, hits);
        commit();
        return caughtUp === "all" ? page : { ...page, partial: true };
      } catch (error) {
        recover(error);
        return null;
      }
    },
    hasNews: () => {
      const now = version.values()[0]?.[0];
      const changed = now !== seen;
      seen = now;
      return changed;
    },
    close: () => {
      version.finalize();
      data.close();
      opened?.close();
    },
  };
};

const openData = (directory: string): Database => {
  const data = new Database(join(directory, "docket.db"), { readonly: true });
  data.run("PRAGMA busy_timeout = 5000");
  data.run("PRAGMA cache_size = -4000");
  return data;
};

/** Deletes the indexes of accounts that are no longer there, and of restrictions that no key has any more. */
export const sweep = (directory: string): void => {
  using data = openData(directory);
  const scopes = data
    .query<{ accountId: number; text: string | null }, []>(
      `SELECT id AS accountId, NULL AS text FROM account
       UNION SELECT account_id, leash FROM api_key WHERE leash IS NOT NULL AND revoked_at IS NULL`,
    )
    .all();
  sweepIndexes(
    directory,
    scopes.map(({ accountId, text }) =>
      scopeName({ accountId, restriction: readRestriction(text) }),
    ),
  );
};

/** The index was made from other data, such as those that a backup has replaced. */
class Foreign extends Error {}

/** Whether the disk is full, say, or can only be read. */
const takesNothing = (error: unknown): boolean => isStorageFault(error) && !isDamaged(error);

/** Whether the index is what is damaged, rather than the records. */
const isBroken = (error: unknown, index: IndexFile | null): boolean => {
  if (!index || !isDamaged(error)) return false;
  try {
    const { database } = index;
    database.run("INSERT INTO search (search) VALUES ('integrity-check')");
    return database.query("PRAGMA quick_check").values()[0]?.[0] !== "ok";
  } catch {
    return true;
  }
};

/** The restriction of a key and the folder asked for are part of what the index is asked. */
const soughtBy = (
  { accountId, restriction, filter }: Asked,
  index: Database,
  data: Database,
): Sought => ({
  words: filter.words,
  url: filter.url,
  places: [
    ...(filter.folderId === null ? [] : [[filter.folderId === "none" ? null : filter.folderId]]),
    ...(restriction?.kind === "folders" ? [restriction.folders] : []),
  ],
  only: restriction?.kind === "inbox" ? inboxOf(index, data, accountId) : null,
});

/** The number of the account's inbox task; 0, which no task has, if there is none. */
const inboxOf = (index: Database, data: Database, accountId: number): number => {
  const inbox = data
    .query<{ id: string | null }, [number]>("SELECT inbox_task_id AS id FROM account WHERE id = ?")
    .get(accountId);
  const number = index.query<{ number: number }, [string]>("SELECT number FROM task WHERE id = ?");
  return number.get(inbox?.id ?? "")?.number ?? 0;
};

/** Returns a function that says whether a task has what the index alone cannot tell: see `findHits`. */
const holder = (data: Database, accountId: number, { url, words }: Sought) => {
  const open = (words ?? []).filter((word) => !comesBack(word));
  if (url === null && open.length === 0) return () => true;
  const select = data.query<{ payload: string }, [number, string]>(
    "SELECT payload FROM record WHERE account_id = ? AND tbl = 'sync_tasks' AND id = ?",
  );
  return (taskId: string): boolean => {
    const row = select.get(accountId, taskId);
    if (row === null) return false;
    const payload = deserialise(row.payload);
    return (url === null || addressesOf(payload).includes(url)) && hasWords(payload, open);
  };
};

/** How long work has taken until it last let others go on, and since when it has worked again, in ms. */
type Stopwatch = { before: number; since: number };

const breathing = async <Value>(
  work: Generator<undefined, Value>,
  stopwatch: Stopwatch,
): Promise<Value> => {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
    stopwatch.before += performance.now() - stopwatch.since;
    await breathe();
    stopwatch.since = performance.now();
  }
};
