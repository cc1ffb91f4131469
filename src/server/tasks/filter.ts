import type { Store } from "../../db/store.ts";
import { liveClaims } from "../../db/records/claims.ts";
import { findFolder } from "../../db/records/folders.ts";
import type { TaskFilter, TaskPosition } from "../../db/records/lists/task-filter.ts";
import type { Caller } from "../../domain/people/account.ts";
import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { isRecordId } from "../../domain/base/text.ts";
import { readWords } from "../../domain/tasks/search.ts";
import { isStatus } from "../../domain/tasks/task.ts";
import {
  type ColumnFilter,
  TASK_FILTER_NAMES,
  TASK_FILTERS,
  type TaskFilterValues,
} from "../../domain/tasks/task-filters.ts";
import { statusesToFind } from "./status.ts";
import { type Instant, isInstant, parseMoment } from "../../domain/base/instant.ts";
import { wyhash64 } from "../../domain/base/hash.ts";

/** The filters of the task list, as they are sent. */
type FilterQuery = TaskFilterValues & {
  readonly q?: string;
  readonly status?: string;
  /** Text when it comes from a URL. */
  readonly closed?: boolean | "false" | "true";
  /** A folder's id or exact name, or `none`. Tools call it `folder`. */
  readonly project_id?: string;
  readonly folder?: string;
  readonly url?: string;
  readonly since?: string;
  readonly ids?: string;
  readonly claimed?: boolean | "false" | "true";
};

/**
 * Reads the filters that a caller sent. Refuses malformed ones, a folder that the caller cannot reach, and from a key a
 * status that no task has (422): the list would only seem to be empty.
 */
export const filterFor = async (
  store: Store,
  caller: Caller,
  query: FilterQuery,
  now: Instant,
): Promise<TaskFilter> => {
  const filter = readFilter(query);
  const folderId = await folderOf(store, caller, query);
  const statuses = await (filter.statuses && statusesToFind(store, caller, filter.statuses));
  const claimed = await claimedOf(store, caller, query, now);
  return { ...filter, folderId, statuses, ...(claimed === null ? {} : { claimed }) };
};

const claimedOf = async (
  { reader }: Store,
  { account }: Caller,
  { claimed }: FilterQuery,
  now: Instant,
): Promise<NonNullable<TaskFilter["claimed"]> | null> => {
  if (claimed === undefined) return null;
  const claims = await liveClaims(reader, account.id, now);
  return { is: String(claimed) === "true", ids: claims.map(({ taskId }) => taskId) };
};

/** Reads the filters that were sent as text, with a folder's id. Refuses malformed ones. */
export const readFilter = (query: FilterQuery): TaskFilter => ({
  statuses: query.status === undefined ? null : statusesOf(query.status),
  closed: withClosed(query),
  folderId: query.project_id ?? null,
  columns: columnsOf(query),
  url: query.url ?? null,
  since: parseSince(query.since),
  words: query.q === undefined ? null : readWords(query.q),
  ...(query.ids === undefined ? {} : { ids: idsOf(query) }),
});

/** The most tasks that can be asked for by their ids. */
export const MAX_IDS = 50;

const idsOf = ({ ids = "", q, url }: FilterQuery): readonly string[] => {
  if (q !== undefined || url !== undefined)
    throw invalid("Send either ids or a search by q or url, not both.");
  const all = [...new Set(ids.split(","))];
  if (all.length <= MAX_IDS && all.every(isRecordId)) return all;
  throw invalid(
    say`${{ parameter: "ids" }} must be 1 to ${MAX_IDS} ids of tasks, separated by commas.`,
  );
};

/** A folder's id, `none` for tasks in no folder, or null for all tasks. */
const folderOf = async (
  store: Store,
  { account, restriction }: Caller,
  { folder, project_id: id }: FilterQuery,
): Promise<string | null> => {
  const [sent, sentAs] = id === undefined ? [folder, "folder"] : [id, "project_id"];
  if (sent === undefined || sent === "none") return sent ?? null;
  return findFolder(store, account.id, restriction, sent, { parameter: sentAs });
};

/** The filters on one column that were sent. */
const columnsOf = (query: TaskFilterValues): TaskFilterValues =>
  Object.fromEntries(
    TASK_FILTER_NAMES.flatMap((name) => {
      const value = query[name];
      if (value === undefined) return [];
      const { check, clean, must }: ColumnFilter = TASK_FILTERS[name];
      if (check && !check(value)) throw invalid(say`${{ parameter: name }} must be ${must}.`);
      return [[name, clean ? clean(value) : value]];
    }),
  );

const withClosed = ({ closed, status }: FilterQuery): boolean => {
  if (closed !== undefined && status !== undefined)
    throw invalid("Send either status or closed, not both.");
  return String(closed) === "true";
};

const statusesOf = (text: string): readonly string[] => {
  const statuses = text.split(",").map((status) => status.trim());
  if (!statuses.every(isStatus))
    throw invalid(
      say`${{ parameter: "status" }} must be one or more statuses separated by commas, such as todo,done.`,
    );
  return statuses;
};

/**
 * Reads `since`, an RFC 3339 time, or a date, which is its start in UTC. Null if it is absent. A `+` that was not percent-encoded arrives as a space; a
 * space can mean nothing else here.
 */
export const parseSince = (text: string | undefined): Instant | null => {
  if (text === undefined) return null;
  const instant = parseMoment(text.replace(" ", "+"));
  if (instant !== null) return instant;
  throw invalid(
    say`${{ parameter: "since" }} must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.`,
  );
};

/**
 * Reads `limit`, which the schema has checked to be digits. Refuses a number above `most` (422). The schema cannot
 * check the bound: Elysia's number checks stop working when a bundler renames classes.
 */
export const parseLimit = (text: string | undefined, most: number): number | null => {
  if (text === undefined) return null;
  const limit = Number(text);
  if (limit >= 1 && limit <= most) return limit;
  throw invalid(say`${{ parameter: "limit" }} must be a whole number from 1 to ${most}.`);
};

/** Reads `wait`, a number of seconds, in the same way. 0 if it is absent. */
export const parseWait = (text: string | undefined, most: number): number => {
  const seconds = Number(text ?? 0);
  if (seconds <= most) return seconds;
  throw invalid(say`${{ parameter: "wait" }} must be a whole number from 0 to ${most}.`);
};

/** Where a list continues: a position in it, and the server time of its first page. */
export type Cursor = { readonly place: TaskPosition; readonly first: Instant };

/**
 * Returns an opaque cursor. It says nothing about the account, and only works with the filters it was made
 * for.
 */
export const writeCursor = ({ place, first }: Cursor, filter: TaskFilter): string =>
  Buffer.from(
    JSON.stringify([place.changedAt, place.id, first, hashOf(filter), place.tier]),
  ).toString("base64url");

/**
 * Reads the cursor of a query; null if there is none. Refuses one that is malformed or was made for other
 * filters.
 */
export const readCursor = (text: string | undefined, filter: TaskFilter): Cursor | null => {
  if (text === undefined) return null;
  const [changedAt, id, first, hash, tier] = decode(text);
  if (!isInstant(changedAt) || typeof id !== "string" || !isInstant(first) || !isTier(tier))
    throw invalid(
      say`${{ parameter: "cursor" }} is not valid. Send the next_cursor of the previous page, or leave cursor out to start again.`,
    );
  if (hash !== hashOf(filter))
    throw invalid(
      say`${{ parameter: "cursor" }} belongs to other filters. Send the filters it came with, or leave cursor out to start again.`,
    );
  return { place: { tier, changedAt, id }, first };
};

const isTier = (value: unknown): value is number => Number.isSafeInteger(value);

const decode = (text: string): readonly unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

/** Which tasks are claimed changes from page to page. */
const hashOf = ({ claimed, ...filter }: TaskFilter): string =>
  wyhash64(JSON.stringify({ ...filter, claimed: claimed?.is })).toString(36);
