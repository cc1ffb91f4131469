import type { ActorKind } from "../../domain/people/account.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { type Payload, textField } from "../../domain/base/payload.ts";
import type { Table, GonePosition } from "../../domain/base/record.ts";
import { rowText } from "../../domain/base/text.ts";
import type { Store } from "../store.ts";
import type { History } from "../transaction.ts";
import { findGone } from "./gone.ts";
import { findRecords } from "../records/find.ts";
import { versionsOf } from "./history.ts";
import { payloadOf, type RecordRow } from "../../domain/records/row.ts";
import { lastLife } from "./restore.ts";
import { HISTORY_RETENTION } from "./quota.ts";

/** A record that a device deleted or moved to the trash. */
export type DeletedRecord = {
  readonly table: Table;
  readonly id: string;
  readonly title: string;
  readonly how: "deleted" | "trashed";
  /** When the server received the deletion or the move, in ms. */
  readonly at: Instant;
  /** Who deleted the record, or changed it last while it was in the trash; null where that is not known. */
  readonly byKind: ActorKind | null;
  readonly byId: string | null;
  /** The payload from before the deletion; null if history no longer holds it. */
  readonly payload: Payload | null;
};

export type DeletedPage = {
  readonly rows: readonly DeletedRecord[];
  /** Where the next page starts; null on the last page. */
  readonly next: GonePosition | null;
};

/**
 * Returns a page of the account's deleted and trashed records, newest first: deletions of the last 90 days,
 * and everything in the trash. Deleted buckets are included.
 */
export const listDeleted = async (
  store: Store,
  accountId: number,
  page: { readonly after: GonePosition | null; readonly limit: number },
  now: Instant,
): Promise<DeletedPage> => {
  const place = page.after ?? FIRST;
  const oldest = now - HISTORY_RETENTION;
  // One more than asked for, to see whether there is another page.
  const asked = { accountId, ...place, oldest, limit: page.limit + 1 };
  const found = await findGone(store.reader, asked);
  const shown = found.slice(0, page.limit);
  const next = found.length > page.limit ? (shown.at(-1) ?? null) : null;
  // A record may have been restored since it was found.
  const rows = (await findRecords(store.reader, accountId, shown)).filter(isGone);
  const history = versionsOf(store, accountId);
  return { rows: await Promise.all(rows.map((row) => goneOf(history, row))), next };
};

const FIRST: GonePosition = { at: Number.MAX_SAFE_INTEGER, table: "sync_tasks", id: "" };

const isGone = (row: RecordRow | null): row is RecordRow =>
  row !== null && (row.deletedAt !== null || row.trashed === 1);

const goneOf = async (history: Pick<History, "before">, row: RecordRow): Promise<DeletedRecord> => {
  const payload = row.deletedAt === null ? payloadOf(row) : await lastLife(history, row);
  return {
    table: row.table,
    id: row.id,
    title: titleOf(payload) || titleOf(payloadOf(row)),
    how: row.deletedAt === null ? "trashed" : "deleted",
    at: row.changedAt,
    byKind: row.writerKind,
    byId: row.writerId,
    payload,
  };
};

const titleOf = (payload: Payload | null): string =>
  payload === null ? "" : rowText(textField(payload, "title") ?? textField(payload, "name") ?? "");
