import type { Payload } from "./payload.ts";

/** The tables of the wire (specification, section 2). */
export const TABLES = ["sync_tasks", "sync_projects", "sync_buckets"] as const;

export type Table = (typeof TABLES)[number];

export const isTable = (value: unknown): value is Table =>
  typeof value === "string" && (TABLES as readonly string[]).includes(value);

/** What a record of an account is known by. */
export type RecordKey = { readonly table: Table; readonly id: string };

/** The key as one text, for maps. */
export const keyText = ({ table, id }: RecordKey): string => `${table} ${id}`;

/** What a record says: its content, and when it was deleted if it was. */
export type RecordState = { readonly payload: Payload; readonly deletedAt: string | null };

/** What sync answers of a record, as it is stored. */
export type SyncedRow = {
  readonly id: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** JSON text. */
  readonly payload: string;
  readonly createdBy: string;
};

/**
 * A record as sync answers it, as JSON text: the stored payload is copied, never parsed.
 * `{id, updated_at, deleted_at, payload, created_by}`, tombstones with `deleted_at` set.
 */
export const syncRow = (row: SyncedRow): string =>
  `{"id":${JSON.stringify(row.id)},"updated_at":${JSON.stringify(row.updatedAt)},` +
  `"deleted_at":${row.deletedAt === null ? "null" : JSON.stringify(row.deletedAt)},` +
  `"payload":${row.payload},"created_by":"${row.createdBy}"}`;
