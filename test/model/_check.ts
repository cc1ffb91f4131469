import type { Instant } from "../../src/domain/base/instant.ts";
import { keyOf, type PushReply, type Row } from "../support/client.ts";
import type { StoredRow } from "../support/world.ts";
import type { Model } from "./_model.ts";
import type { Answer } from "./_records.ts";
import { stamped } from "./_rest.ts";

/**
 * Compares the records that the server stores with the model's, and gives the model the new stamps.
 * Throws if they differ. `issued` is the greatest `server_time` issued to anyone.
 */
export const checkRecords = (model: Model, rows: readonly StoredRow[], issued: Instant): void => {
  const newest = Math.max(issued, ...[...model.records.values()].map(({ stamp }) => stamp ?? 0));
  if (rows.length !== model.records.size) fail("as many records", model.records.size, rows.length);
  for (const row of rows) {
    const record = model.records.get(keyOf(row));
    if (!record) return fail("no record", undefined, row);
    const { version, stamp } = record;
    const { updated, text, deletedAt, payload } = version;
    const expected = { updated, text, deletedAt, payload };
    const stored = {
      updated: row.updated,
      text: row.updated_at,
      deletedAt: row.deleted_at,
      payload: row.payload,
    };
    if (!Bun.deepEquals(stored, expected)) fail(keyOf(row), expected, stored);
    if (stamp !== null && row.changedAt !== stamp)
      fail(`the stamp of ${keyOf(row)}`, stamp, row.changedAt);
    // I3: whatever is committed comes after every server_time issued before.
    if (stamp === null && row.changedAt <= newest)
      fail(`a stamp of ${keyOf(row)} above`, newest, row.changedAt);
    if (stamp === null) model.records.set(keyOf(row), stamped(record, row.changedAt));
  }
};

/** Compares the reply to a push with the answers that the rules give. */
export const checkReply = (
  changes: readonly Row[],
  answers: readonly Answer[],
  reply: PushReply,
  rows: readonly StoredRow[],
): void => {
  const listed = (which: Partial<Record<Answer, string | null>>) =>
    changes.flatMap((row, at) => {
      const reason = which[answers[at] ?? "applied"];
      if (reason === undefined) return [];
      const { table, id, updated_at } = row;
      const stored = rows.find((one) => one.table === table && one.id === id);
      const server_row = stored && {
        id,
        updated_at: stored.updated_at,
        deleted_at: stored.deleted_at,
        payload: stored.payload,
        created_by: stored.createdBy,
      };
      const said = reason === null ? {} : { updated_at, reason };
      return [{ table, id, ...said, server_row }];
    });
  const expected = {
    applied: answers.filter((answer) => answer !== "stale").length,
    rejected: listed(REASONS),
    merged: listed(MERGED),
    invalid: [],
  };
  if (!Bun.deepEquals(reply, expected)) fail("the reply", expected, reply);
};

const REASONS = {
  clamped: "clamped",
  "clamped and merged": "clamped",
  late: "merged",
  merged: "merged",
  stale: "stale",
} as const;

const MERGED = { "clamped and merged": null, late: null, merged: null } as const;

const fail = (what: string, expected: unknown, found: unknown): never => {
  throw new Error(
    `${what}\nby the rules:    ${JSON.stringify(expected)}\non the server:   ${JSON.stringify(found)}`,
  );
};
