import { bytesIn } from "../../domain/base/text.ts";
import { keyText } from "../../domain/base/record.ts";
import { StorageFull } from "../state.ts";
import { type Database, readMeta, readWaiting } from "../store/database.ts";
import type { PendingEdit, Row } from "../store/row.ts";
import { markSent, type Sent, takePush, toSend } from "../store/take-push.ts";
import { ask, CallFailed, type Request } from "./ask.ts";
import { type PushReply, readPush } from "./wire.ts";

/** What the API takes in one push, and what a slow line can carry in one go, in bytes. */
const MOST_RECORDS = 500;
const MOST_BYTES = 8 * 1024 * 1024;
/** In bytes. Every line carries this much in one go. */
const LEAST_BYTES = 16 * 1024;

/**
 * Pushes what waits, until nothing does. An edit that was made on a version that is no longer the latest comes back, made
 * again on that one, and is pushed again.
 */
export const push = async (place: SyncContext, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const waiting = toSend(await place.run(readWaiting));
    if (waiting.length === 0) return;
    const { since } = await place.run(readMeta);
    const batch = await marked(place, firstBatch(waiting, place.load.bytes));
    if (batch.length > 0) await pushSome(place, batch, since, signal);
  }
};

/** Notes that edits are sent. If the browser has no room for that, they are sent all the same: the server has room. */
const marked = (place: SyncContext, rows: readonly Sent[]): Promise<readonly Sent[]> =>
  place
    .run((db) => markSent(db, rows))
    .catch((error: unknown) => {
      if (error instanceof StorageFull) return rows;
      throw error;
    });

/**
 * Pushes some rows. If they are too large together, pushes half of them; the rest waits for its turn. If no reply comes,
 * they may have been more than the line carries before the call ends: the next try has half as much.
 */
const pushSome = async (
  place: SyncContext,
  rows: readonly Sent[],
  since: string | null,
  signal: AbortSignal,
): Promise<void> => {
  const seen = rows[0]?.edit.seen ?? since;
  let reply: PushReply;
  try {
    reply = await send(place, rows, seen, signal);
  } catch (error) {
    const failure = error instanceof CallFailed ? error.failure : null;
    if (failure?.kind === "offline")
      place.load.bytes = Math.max(LEAST_BYTES, bytesIn(rows.map(recordText).join()) / 2);
    if (failure?.kind !== "too-large") throw error;
    if (rows.length > 1) return pushSome(place, rows.slice(0, rows.length >> 1), since, signal);
    reply = {
      epoch: null,
      revs: [],
      rejected: [],
      invalid: [{ index: 0, error: failure.sentence }],
    };
  }
  place.load.bytes *= 2;
  const taken = await place.run((db) => takePush(db, rows, reply, seen));
  place.changed(taken.rows);
  if (taken.kind === "restored") place.restored();
  else if (isGoingRound(rows, reply)) throw new CallFailed(GOES_ROUND);
};

const GOES_ROUND = {
  kind: "problem",
  sentence: "The server does not take a change, and does not say why. Docket tries again.",
  waitFor: 0,
} as const;

/** Whether the server refuses an edit for the very version on which it was made. At once, it would only do so again. */
const isGoingRound = (rows: readonly Sent[], { rejected }: PushReply): boolean => {
  const versions = new Map(
    rejected.flatMap((row) => (row.hadIt ? [] : [[keyText(row), row.updatedAt] as const])),
  );
  return rows.some(
    (row) =>
      row.edit.base !== null && !row.edit.isResent && versions.get(keyText(row)) === row.edit.base,
  );
};

const send = (
  { request }: SyncContext,
  rows: readonly Sent[],
  seen: string | null,
  signal: AbortSignal,
): Promise<PushReply> => {
  const path = seen === null ? "/sync" : `/sync?since=${encodeURIComponent(seen)}`;
  const body = `[${rows.map(recordText).join(",")}]`;
  const headers = { "content-type": "application/json" };
  const read = (json: unknown) => readPush(json, rows.length);
  return ask(request, path, { method: "POST", headers, body }, read, signal);
};

/** `rev` is what the server calls the version on which the edit was made. Older servers know it by its time alone. */
const recordText = ({ table, id, edit, rev }: Sent): string =>
  JSON.stringify({
    table,
    id,
    updated_at: edit.updatedAt,
    ...(edit.base === null ? {} : { base_updated_at: edit.base }),
    // What was combined with another version after a restore, the server judges.
    ...(edit.adrift === "combined" ? {} : { expected_updated_at: edit.base }),
    ...(rev === null ? {} : { base_rev: rev, expected_rev: rev }),
    ...changedFields(edit),
    deleted_at: edit.deletedAt,
    payload: edit.payload,
  });

/** The server takes at most so many. */
const MOST_FIELDS = 100;

const changedFields = ({ changedAt = {} }: PendingEdit): { readonly changed_at?: object } => {
  const { length } = Object.keys(changedAt);
  return length === 0 || length > MOST_FIELDS ? {} : { changed_at: changedAt };
};

/** The first rows that can go together: few and small enough, and made with the same knowledge. */
const firstBatch = (rows: readonly Sent[], most: number): readonly Sent[] => {
  let bytes = 0;
  const fits = (row: Sent): boolean => {
    bytes += bytesIn(recordText(row)) + 1;
    return bytes <= Math.min(most, MOST_BYTES);
  };
  const [first] = rows;
  const batch = rows.slice(0, MOST_RECORDS);
  const end = batch.findIndex(
    (row, at) => row.edit.seen !== first?.edit.seen || (!fits(row) && at > 0),
  );
  return end === -1 ? batch : batch.slice(0, end);
};

/** Where a sync happens: a store and a server. */
export type SyncContext = {
  readonly run: <T>(job: (db: Database) => Promise<T>) => Promise<T>;
  readonly request: Request;
  /** How much one push may hold, in bytes: less after one that did not get through, and more again with each that did. */
  readonly load: { bytes: number };
  /** Shows rows that the sync has changed in the store. */
  readonly changed: (rows: readonly Row[]) => void;
  /** The server turns out to have been restored from a backup. */
  readonly restored: () => void;
};
