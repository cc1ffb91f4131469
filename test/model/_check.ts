import type { Instant } from "../../src/domain/base/instant.ts";
import { keyOf, type PushReply, type Row } from "../support/client.ts";
import { listOf } from "../support/edits.ts";
import type { StoredRow } from "../support/world.ts";
import { type Version, versionOf } from "./_lww.ts";
import { LISTS, type Model, reasonOf, sameContent } from "./_model.ts";

/**
 * Compares the records that the server stores with the model's, and gives the model the new stamps, and
 * what was merged. Throws if they differ. `issued` is the greatest `server_time` issued to anyone.
 */
export const checkRecords = (model: Model, rows: readonly StoredRow[], issued: Instant): void => {
  const newest = Math.max(issued, ...[...model.records.values()].map(({ stamp }) => stamp ?? 0));
  if (rows.length !== model.records.size) fail("as many records", model.records.size, rows.length);
  for (const row of rows) {
    const key = keyOf(row);
    const record = model.records.get(key);
    if (!record) return fail("no record", undefined, row);
    const stored = versionOf(row);
    const isMerged = record.isMerged && row.changedAt !== record.stamp;
    if (row.updated !== stored.updated) fail(`the stamp of ${key}`, stored.updated, row.updated);
    // What was merged is later than what was sent and what was there, so that every device takes it.
    if (isMerged && stored.updated <= record.version.updated)
      fail(`${key} merged later than`, record.version.updated, stored.updated);
    if (!isMerged && !Bun.deepEquals(stored, record.version)) fail(key, record.version, stored);
    const stamp = isMerged ? null : record.stamp;
    if (stamp !== null && row.changedAt !== stamp)
      fail(`the stamp of ${key}`, stamp, row.changedAt);
    // I3: whatever is committed comes after every server_time issued before.
    if (stamp === null && row.changedAt <= newest)
      fail(`a stamp of ${key} above`, newest, row.changedAt);
    checkAuthors(model, row);
    const change = { version: stored, stamp: row.changedAt, isMerged: false };
    model.records.set(key, { ...record, ...change });
  }
};

/** What was filed over REST keeps its author, wherever a device takes it. */
const checkAuthors = ({ authors }: Model, row: StoredRow): void => {
  for (const { id, key } of row.filed) {
    const author = authors.get(id) ?? key;
    if (key !== author) fail(`the author of ${id}`, author, key);
    authors.set(id, key);
  }
  const filed = new Set(row.filed.map(({ id }) => id));
  for (const { id = "" } of LISTS.flatMap((list) => listOf(row.payload, list)))
    if (authors.has(id) && !filed.has(id)) fail(`the author of ${id}`, authors.get(id), null);
};

/**
 * Checks a push's reply against what is stored: each row in it is the one that a pull returns, and what is not
 * listed is stored as it was sent. Call this before the model knows of the push.
 */
export const checkReply = (
  model: Model,
  changes: readonly Row[],
  reply: PushReply,
  rows: readonly StoredRow[],
): void => {
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const stale = reply.rejected.filter(({ reason }) => reason === "stale").length;
  const expected = {
    applied: changes.length - stale,
    rejected: changes.flatMap((row) => {
      const reason = reasonOf(reply, row);
      const { updated_at } = row;
      return reason === null ? [] : [{ ...listed(stored, row), updated_at, reason }];
    }),
    merged: changes.flatMap((row) => {
      const isMerged = reply.merged.some((one) => keyOf(one) === keyOf(row));
      return isMerged ? [listed(stored, row)] : [];
    }),
    invalid: [],
  };
  if (!Bun.deepEquals(reply, expected)) fail("the reply", expected, reply);
  for (const row of changes) {
    const after = stored.get(keyOf(row));
    if (!after) return fail("a row", row, null);
    if (reasonOf(reply, row) === null && !isAsSent(versionOf(row), versionOf(after)))
      fail(`${keyOf(row)} as it was sent`, row, after);
    if (reasonOf(reply, row) === "merged") checkKept(model, row, after);
  }
};

const listed = (stored: ReadonlyMap<string, StoredRow>, { table, id }: Row) => {
  const row = stored.get(keyOf({ table, id }));
  const server_row = row && {
    id,
    updated_at: row.updated_at,
    deleted_at: row.deleted_at,
    payload: row.payload,
    created_by: row.createdBy,
    ...(row.createdByKey === null ? {} : { created_by_key: row.createdByKey }),
  };
  return { table, id, server_row };
};

const isAsSent = (sent: Version, stored: Version): boolean =>
  sent.updated === stored.updated && sameContent(sent, stored);

/** Merging never makes a value up: it is the one that was sent, or the one that was there. */
const checkKept = ({ records }: Model, sent: Row, after: StoredRow): void => {
  const before = records.get(keyOf(sent))?.version;
  if (!before || before.deletedAt !== null) return;
  const names = new Set([sent, before, after].flatMap(({ payload }) => Object.keys(payload)));
  for (const name of names) {
    const [value, ...known] = [after, sent, before].map(({ payload }) => payload[name]);
    const isList = name === "pages" || name === "notes";
    if (!isList && !known.some((one) => Bun.deepEquals(one, value)))
      fail(`${name} of ${keyOf(sent)}`, known, value);
  }
};

const fail = (what: string, expected: unknown, found: unknown): never => {
  throw new Error(
    `${what}\nby the rules:    ${JSON.stringify(expected)}\non the server:   ${JSON.stringify(found)}`,
  );
};
