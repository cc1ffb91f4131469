import { closePull } from "../db/records/acks.ts";
import { readEpoch } from "../db/records/clock.ts";
import { type Pull, pullRows } from "../db/records/pull.ts";
import type { PushResult } from "../db/records/push.ts";
import { readServerRow } from "../db/records/server-row.ts";
import { countPull } from "../db/records/sync-counts.ts";
import { formatInstant } from "../domain/base/instant.ts";
import { markOf, revText } from "../domain/base/rev.ts";
import { type RecordKey, TABLES } from "../domain/base/record.ts";
import { type ApiContext, callerOf } from "./context.ts";

const NOTHING = JSON.stringify(Object.fromEntries(TABLES.map((table) => [table, []])));

/** Returns the reply for a device that polls and finds nothing new, the commonest one. */
export const nothingNew = (context: ApiContext, accountId: number, pull: Pull): string => {
  closeFor(context, accountId, pull);
  countFor(context, 0);
  return `${headOf(pull)},"changes":${NOTHING}}`;
};

/** Returns the reply's fields before `changes`, without the closing bracket. */
const headOf = ({ until, epoch, hasMore }: Pull): string =>
  `{"server_time":"${formatInstant(until)}","epoch":${JSON.stringify(epoch)},"has_more":${hasMore}`;

/** A client that disconnects early, or asks with HEAD, counts as not having received anything. */
const closeFor = (context: ApiContext, accountId: number, pull: Pull): void => {
  if (context.request.method === "GET")
    closePull(context.store, accountId, callerOf(context).id, pull, context.now);
};

const countFor = (context: ApiContext, delivered: number): void => {
  if (context.request.method === "GET")
    countPull(context.store, callerOf(context), delivered, context.now);
};

/** Yields the reply in pieces. A reply that is cut off is never valid JSON, so nobody takes it for complete. */
export async function* pullText(
  context: ApiContext,
  accountId: number,
  pull: Pull,
): AsyncGenerator<string> {
  let delivered = 0;
  yield `${headOf(pull)},"changes":{`;
  for (const [index, table] of TABLES.entries()) {
    let separator = `${index === 0 ? "" : ","}"${table}":[`;
    for await (const rows of pullRows(context.store, accountId, table, pull)) {
      yield separator + rows.join(",");
      separator = ",";
      delivered += rows.length;
    }
    yield separator === "," ? "]" : `${separator}]`;
  }
  closeFor(context, accountId, pull);
  yield "}}";
  countFor(context, delivered);
}

/**
 * Yields the reply to a push in pieces. It has no `server_time`: a device that took it as its cursor would skip records
 * that it has not pulled yet.
 */
export async function* pushText(
  context: ApiContext,
  accountId: number,
  { applied, rejected, merged, invalid, stored, tellsEpoch }: PushResult,
): AsyncGenerator<string> {
  const epoch = readEpoch(context.store.reader);
  const told = tellsEpoch ? `"epoch":${JSON.stringify(epoch)},` : "";
  const revs = stored.map(({ table, id, stamp }) => ({
    table,
    id,
    rev: revText(stamp, markOf(epoch)),
  }));
  yield `{"applied":${applied},${told}"revs":${JSON.stringify(revs)},"rejected":[`;
  for (const [index, { table, id, updatedAt, reason, since }] of rejected.entries()) {
    const head = { table, id, updated_at: updatedAt, reason, ...hints(since) };
    yield comma(index) + (await withServerRow(context, accountId, head));
  }
  yield `],"merged":[`;
  for (const [index, { table, id }] of merged.entries())
    yield comma(index) + (await withServerRow(context, accountId, { table, id }));
  yield `],"invalid":${JSON.stringify(invalid)}}`;
}

/** What a device needs to know in order to make its edit again on the current row. */
const hints = (since: PushResult["rejected"][number]["since"]) => {
  if (since === undefined) return {};
  const { wasStored, byDevices, isDeletedByDevice, pushed } = since;
  const times = [...byDevices].map(([field, stamp]) => [field, formatInstant(stamp)] as const);
  return {
    ...(wasStored ? { was_stored: true } : {}),
    ...(pushed === null ? {} : { device_updated_at: formatInstant(pushed) }),
    ...(isDeletedByDevice === null ? {} : { deleted_by_device: isDeletedByDevice }),
    changed_by_devices: Object.fromEntries(times),
  };
};

const comma = (index: number): string => (index === 0 ? "" : ",");

const withServerRow = async (
  context: ApiContext,
  accountId: number,
  head: RecordKey,
): Promise<string> => {
  const row = await readServerRow(context.store, accountId, head);
  return `${JSON.stringify(head).slice(0, -1)},"server_row":${row}}`;
};
