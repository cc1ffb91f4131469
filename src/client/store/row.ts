import { isObject, type Payload } from "../../domain/base/payload.ts";
import type { Table } from "../../domain/base/record.ts";
import type { LostTexts } from "../lost.ts";
import { childId } from "../../domain/tasks/child.ts";
import { CHILD_LISTS } from "../../domain/tasks/task-fields.ts";

/** A record's content at one time. */
export type Version = {
  readonly payload: Payload;
  /** ISO text. Decides which of two versions wins. */
  readonly updatedAt: string;
  readonly deletedAt: string | null;
};

/** What the store holds of one record. */
export type Row = {
  readonly table: Table;
  readonly id: string;
  /** Who made it, as the server says. What was made here is the person's. */
  readonly createdBy: "agent" | "person";
  /** The name of the API key that made it; null if none did. Absent in rows that an older version stored. */
  readonly createdByKey?: string | null;
  /** As the server has it; null if the server is not known to have it. */
  readonly server: Version | null;
  /** What the server calls that version; null or absent if it is not known, or from before a restore. */
  readonly rev?: string | null;
  /** The newest edit that the server has not confirmed. It may have been sent already. */
  readonly edit: PendingEdit | null;
  /** The newest edit, if the server refused it. `edit` is null then. */
  readonly refused: RefusedEdit | null;
  /** What the person's last edit of the record here said in `updated_at`, also if the server keeps another time. */
  readonly lastStamp: string | null;
  /** Titles that gave way when two devices had changed them, until the person has chosen. Absent if there are none. */
  readonly lost?: LostTexts;
  /** The order of `edit`. Absent if there is none: this is what the index of waiting edits holds. */
  readonly waits?: number;
};

/** A version that a person made here, and when. */
export type Made = Version & {
  /**
   * When the person made it, ISO text, where `updatedAt` says more: an edit is made again on a later version of the
   * server's. Absent otherwise.
   */
  readonly madeAt?: string;
  /**
   * When the person last changed each field since the version that was edited, ISO text: one edit can be the sum of
   * several. Absent in rows that an older version stored.
   */
  readonly changedAt?: Readonly<Record<string, string>>;
};

export type PendingEdit = Made & {
  /** Counts the changes of the store, so it tells two edits of one record apart. */
  readonly order: number;
  /** What the device had seen when it made the edit, where that is not what it has seen now. */
  readonly seen: string | null;
  /**
   * The `updatedAt` of the version that the person edited: of `first`, or else of the row's `server`. The server takes
   * the edit only if it has no later version. Null for a new record.
   */
  readonly base: string | null;
  /** Whether it was sent, so that the server may have it, even if no reply came. */
  readonly isSent: boolean;
  /**
   * What must be sent before this one, because `base` names it and the server may not know it: the edit on which this one
   * was made, if it was sent and no reply came; or the server's own version, after a restore.
   */
  readonly first: PendingEdit | null;
  /** Whether nobody edited it: it is the server's own version, sent again because the server was restored. */
  readonly isResent: boolean;
  /**
   * Set if it was made on a version that the server lost in a restore, and did not take again because it has a later one.
   * First it is combined with that one here, and then the server judges it, for it may know what its backup had.
   */
  readonly adrift?: "combined" | "new";
};

type RefusedEdit = Made & {
  readonly reason: string;
  readonly seen: string | null;
  readonly base: string | null;
};

/** What the store knows of its server. */
export type Meta = {
  /** Counts every change of the store. */
  readonly pulse: number;
  /** The `pulse` at the last change of a row. */
  readonly rowsAt: number;
  /** The `server_time` of the last reply that was stored; null to pull everything. */
  readonly since: string | null;
  /** Null if no reply was ever stored. */
  readonly epoch: string | null;
};

export const NEW_STORE: Meta = { pulse: 0, rowsAt: 0, since: null, epoch: null };

/** A key of the database. */
export type RowKey = [table: Table, id: string];

export const keyOf = ({ table, id }: { readonly table: Table; readonly id: string }): RowKey => [
  table,
  id,
];

/** Returns what is to be sent first. */
export const firstOf = (edit: PendingEdit): PendingEdit =>
  edit.first ? firstOf(edit.first) : edit;

/** Returns the edit with another one to be sent first, or none. */
export const withFirstOf = (
  edit: PendingEdit,
  change: (first: PendingEdit) => PendingEdit | null,
): PendingEdit | null =>
  edit.first ? { ...edit, first: withFirstOf(edit.first, change) } : change(edit);

/** Returns the version that the person sees; null if there is none. */
export const shownVersion = ({ edit, refused, server }: Row): Version | null =>
  edit ?? refused ?? server;

/**
 * Returns what the next edit of a row is made on. What never left the device is no version that the server can know:
 * an edit that replaces it is made on the same as it was.
 */
export const groundOf = ({ edit, refused, server }: Row): Pick<PendingEdit, "base" | "first"> => {
  if (edit?.isSent || edit?.isResent) return { base: edit.updatedAt, first: edit };
  if (edit) return { base: edit.base, first: edit.first };
  return { base: refused ? refused.base : (server?.updatedAt ?? null), first: null };
};

/** Returns what the next edit of a row adds to and replaces, since it never left the device; null if nothing waits. */
export const replacedOf = ({ edit, refused }: Row): Made | null =>
  edit?.isSent || edit?.isResent ? null : (edit ?? refused);

/** Returns the row with another pending edit. Whatever was refused before is replaced by it. */
export const withEdit = (row: Row, edit: PendingEdit): Row => ({
  ...row,
  edit,
  refused: null,
  waits: edit.order,
});

/** Returns the row without a pending edit. */
export const withoutEdit = ({ waits: _waits, ...row }: Row): Row => ({ ...row, edit: null });

export const newRow = (table: Table, id: string): Row => ({
  table,
  id,
  createdBy: "person",
  server: null,
  edit: null,
  refused: null,
  lastStamp: null,
});

/** Of tabs and notes with one id, the last one stays. */
export const withoutDoubles = (payload: Payload): Payload => {
  const lists = CHILD_LISTS.flatMap((list) => {
    const items = payload[list];
    if (!Array.isArray(items)) return [];
    const ids = items.map((item) => (isObject(item) ? childId(item) : null));
    const last = new Map(ids.map((id, at) => [id, at]));
    const single = items.filter((_, at) => ids[at] === null || last.get(ids[at] ?? "") === at);
    return single.length === items.length ? [] : [[list, single] as const];
  });
  return lists.length === 0 ? payload : { ...payload, ...Object.fromEntries(lists) };
};
