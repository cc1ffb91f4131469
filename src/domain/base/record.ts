import type { Instant } from "./instant.ts";
import type { Payload } from "./payload.ts";
import { revText } from "./rev.ts";
import { shownName } from "./text.ts";

/** The names of the tables in the API (specification, section 2). */
export const TABLES = ["sync_tasks", "sync_projects", "sync_buckets"] as const;

/** The same, so that what a record names comes before it. */
export const TABLES_BY_NEED = TABLES.toReversed();

export type Table = (typeof TABLES)[number];

export const isTable = (value: unknown): value is Table =>
  typeof value === "string" && (TABLES as readonly string[]).includes(value);

/** What people call a record of each table. The activity list and the pages use these words, as in `task:ID`. */
export const KINDS: Readonly<Record<Table, "bucket" | "folder" | "task">> = {
  sync_tasks: "task",
  sync_projects: "folder",
  sync_buckets: "bucket",
};

/** A record's title or name as people read it. Devices may send one that is empty, or of invisible characters. */
export const recordName = (table: Table, name: string): string =>
  shownName(name, table === "sync_tasks" ? "Untitled" : `Unnamed ${KINDS[table]}`);

const TABLES_BY_KIND: ReadonlyMap<string, Table> = new Map(
  TABLES.map((table) => [KINDS[table], table]),
);

/** Returns the table whose records are of that kind, or null if there is none. */
export const tableOf = (kind: string): Table | null => TABLES_BY_KIND.get(kind) ?? null;

/** Identifies a record within an account. */
export type RecordKey = { readonly table: Table; readonly id: string };

/** The key as one text, for maps. */
export const keyText = ({ table, id }: RecordKey): string => `${table} ${id}`;

/** A record's content, and when it was deleted (ISO text; null if it is live). */
export type RecordState = { readonly payload: Payload; readonly deletedAt: string | null };

/** The columns of a record that sync returns. */
export type SyncedRow = {
  readonly id: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** JSON text. */
  readonly payload: string;
  readonly createdBy: string;
  readonly createdByKey: string | null;
  /** The stamp of the transaction that stored it. */
  readonly changedAt: Instant;
};

/**
 * Returns a record as sync replies with it, as JSON text:
 * `{id, updated_at, deleted_at, payload, created_by, rev}`, and `created_by_key` if an API key made it. Tombstones have
 * `deleted_at` set. The stored payload is copied, never parsed. `mark` stands for the epoch of the data.
 */
export const syncRow = (row: SyncedRow, mark: string): string =>
  `{"id":${JSON.stringify(row.id)},"updated_at":${JSON.stringify(row.updatedAt)},` +
  `"deleted_at":${row.deletedAt === null ? "null" : JSON.stringify(row.deletedAt)},` +
  `"payload":${row.payload},"created_by":"${row.createdBy}"${keyField(row.createdByKey)},"rev":"${revText(row.changedAt, mark)}"}`;

const keyField = (name: string | null): string =>
  name === null ? "" : `,"created_by_key":${JSON.stringify(name)}`;

/** Where a record that is gone is in the list of them: newest first, then by table and id within one commit. */
export type GonePosition = RecordKey & { readonly at: Instant };
