import { closePull, recordSince } from "../db/records/acks.ts";
import { countPull } from "../db/records/sync-counts.ts";
import { faultLine } from "../db/sqlite/faults.ts";
import { openPull, type Pull, pullRows } from "../db/records/pull.ts";
import { pushChanges, type PushResult, readServerRow } from "../db/records/push.ts";
import { formatInstant } from "../domain/base/instant.ts";
import { type Table, TABLES } from "../domain/base/record.ts";
import { type MaybePromise, andThen } from "../domain/base/maybe-promise.ts";
import { type ApiContext, callerOf } from "./context.ts";
import { parseLimit, parseSince } from "../server/tasks/query.ts";
import type { Reply } from "../server/reply.ts";
import { MAX_PAGE, type PullQuery, type PushBody, type PushQuery } from "./schemas.ts";
import { streamText, wholeReply } from "./stream.ts";

/** `GET /sync`: the account's changes since a `server_time`, including tombstones. */
export const getSync = (context: ApiContext<PullQuery>): MaybePromise<Reply> => {
  const { query } = context;
  const { id, account } = callerOf(context);
  const accountId = account.id;
  const since = parseSince(query.since);
  const limit = parseLimit(query.limit, MAX_PAGE);
  // A HEAD request stores nothing.
  const stores = context.request.method === "GET";
  const heard = stores ? recordSince(context.store, id, since) : undefined;
  const opened = andThen(heard, () =>
    openPull(context.store, accountId, since, limit, context.now),
  );
  return andThen(opened, (pull) =>
    pull.empty
      ? wholeReply(
          nothingNew(context, accountId, pull),
          context.request.headers.get("accept-encoding"),
        )
      : stream(context, pullText(context, accountId, pull)),
  );
};

const NOTHING = JSON.stringify(Object.fromEntries(TABLES.map((table) => [table, []])));

/** The reply that a polling device gets nearly always. */
const nothingNew = (context: ApiContext, accountId: number, pull: Pull): string => {
  closeFor(context, accountId, pull);
  countFor(context, 0);
  return `${headOf(pull)},"changes":${NOTHING}}`;
};

/** The reply's fields except the changes, without the closing bracket. */
const headOf = ({ until, epoch, hasMore }: Pull): string =>
  `{"server_time":"${formatInstant(until)}","epoch":${JSON.stringify(epoch)},"has_more":${hasMore}`;

/** A client that disconnects early, or asks with HEAD, counts as not having received anything. */
const closeFor = (context: ApiContext, accountId: number, pull: Pull): void => {
  if (context.request.method === "GET")
    closePull(context.store, accountId, callerOf(context).id, pull);
};

const countFor = (context: ApiContext, delivered: number): void => {
  if (context.request.method === "GET")
    countPull(context.store, callerOf(context), delivered, context.now);
};

const stream = ({ request, service }: ApiContext, pieces: AsyncGenerator<string>): Promise<Reply> =>
  streamText(pieces, request.headers.get("accept-encoding"), (cause) =>
    service.log.error(faultLine(cause) ?? "a reply broke off", cause),
  );

/**
 * Yields the reply in pieces. If it is cut off anywhere it is not valid JSON, so it is never mistaken for the
 * whole.
 */
async function* pullText(
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
 * `POST /sync`: applies a device's changes. Replies with those that were not stored as sent, and why. `since`
 * is the `server_time` up to which the device has stored what it was given; without it, that of its last pull
 * counts.
 */
export const postSync = async (context: ApiContext<PushQuery, PushBody>): Promise<Reply> => {
  const { id, account } = callerOf(context);
  const named = context.query.since === undefined ? {} : { since: parseSince(context.query.since) };
  const sender = { sessionId: id, ...named };
  const result = await pushChanges(context.store, account.id, sender, context.body, context.now);
  return stream(context, pushText(context, account.id, result));
};

/**
 * The reply has no `server_time`: a client that used it as a cursor would skip changes it has not pulled yet.
 */
async function* pushText(
  context: ApiContext,
  accountId: number,
  { applied, rejected, merged, invalid }: PushResult,
): AsyncGenerator<string> {
  yield `{"applied":${applied},"rejected":[`;
  for (const [index, { table, id, updatedAt, reason }] of rejected.entries()) {
    const head = { table, id, updated_at: updatedAt, reason };
    yield comma(index) + (await withServerRow(context, accountId, head));
  }
  yield `],"merged":[`;
  for (const [index, { table, id }] of merged.entries())
    yield comma(index) + (await withServerRow(context, accountId, { table, id }));
  yield `],"invalid":${JSON.stringify(invalid)}}`;
}

const comma = (index: number): string => (index === 0 ? "" : ",");

const withServerRow = async (
  context: ApiContext,
  accountId: number,
  head: { readonly table: Table; readonly id: string },
): Promise<string> => {
  const row = await readServerRow(context.store, accountId, head);
  return `${JSON.stringify(head).slice(0, -1)},"server_row":${row}}`;
};
