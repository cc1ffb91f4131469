import type { Payload } from "../domain/base/payload.ts";
import type { Table } from "../domain/base/record.ts";

/**
 * One edit of some records, made in one transaction of the store. It may wait for the desk only, for nothing else:
 * a transaction of IndexedDB ends when nobody uses it.
 */
export type Edit = (desk: Desk) => Promise<void>;

/** What an edit works on: the records as the person sees them, with the edits before it in the same step. */
export type Desk = {
  /** When the person made the step, as ISO text. */
  readonly now: string;
  readonly newId: () => string;
  /** Returns a live record's payload; null if there is no such record, or it is deleted. */
  readonly read: (table: Table, id: string) => Promise<Payload | null>;
  /** Returns a record, deleted or not; null if there is no such record. */
  readonly find: (
    table: Table,
    id: string,
  ) => Promise<{ readonly payload: Payload; readonly isDeleted: boolean } | null>;
  /** Writes a record as live, and revives it if it was deleted. */
  readonly write: (table: Table, id: string, payload: Payload) => Promise<void>;
  /**
   * Deletes a record, if it is live. Its payload stays with the tombstone, so that it can be revived. With a `payload`, the
   * tombstone holds that instead, also if the record was deleted before.
   */
  readonly remove: (table: Table, id: string, payload?: Payload) => Promise<void>;
};
