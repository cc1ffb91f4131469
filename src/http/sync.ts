import { closePull, hearSince } from "../db/acks.ts";
import { countPull } from "../db/counts.ts";
import { faultLine } from "../db/faults.ts";
import { openPull, type Pull, pullRows } from "../db/pull.ts";
import { pushChanges, type PushResult, readServerRow } from "../db/push.ts";
import { formatInstant } from "../instant.ts";
import { type Table, TABLES } from "../record.ts";
import { type Soon, soon } from "../soon.ts";
import { type Ask, callerOf } from "./ask.ts";
import { parseLimit, parseSince } from "../door/query.ts";
import type { Reply } from "../door/reply.ts";
import { MAX_PAGE, type PullQuery, type PushBody, type PushQuery } from "./schemas.ts";
import { streamText, wholeReply } from "./stream.ts";

/** `GET /sync`: the account's changes since a `server_time`, tombstones too. */
export const getSync = (ask: Ask<PullQuery>): Soon<Reply> => {
  const { query } = ask;
  const { id, account } = callerOf(ask);
  const accountId = account.id;
  const since = parseSince(query.since);
  const limit = parseLimit(query.limit, MAX_PAGE);
  // Whoever asks with HEAD stores nothing.
  const stores = ask.request.method === "GET";
  const heard = stores ? hearSince(ask.store, id, since) : undefined;
  const opened = soon(heard, () => openPull(ask.store, accountId, since, limit, ask.now));
  return soon(opened, (pull) =>
    pull.empty
      ? wholeReply(nothingNew(ask, accountId, pull), ask.request.headers.get("accept-encoding"))
      : stream(ask, pullText(ask, accountId, pull)),
  );
};

const NOTHING = JSON.stringify(Object.fromEntries(TABLES.map((table) => [table, []])));

/** What a device that polls is told nearly always. */
const nothingNew = (ask: Ask, accountId: number, pull: Pull): string => {
  closeFor(ask, accountId, pull);
  countFor(ask, 0);
  return `${headOf(pull)},"changes":${NOTHING}}`;
};

/** The reply's fields but for the changes, without the last bracket. */
const headOf = ({ until, epoch, hasMore }: Pull): string =>
  `{"server_time":"${formatInstant(until)}","epoch":${JSON.stringify(epoch)},"has_more":${hasMore}`;

/** Whoever breaks off, or asks with HEAD, was not given anything. */
const closeFor = (ask: Ask, accountId: number, pull: Pull): void => {
  if (ask.request.method === "GET") closePull(ask.store, accountId, callerOf(ask).id, pull);
};

const countFor = (ask: Ask, delivered: number): void => {
  if (ask.request.method === "GET") countPull(ask.store, callerOf(ask), delivered, ask.now);
};

const stream = ({ request, service }: Ask, pieces: AsyncGenerator<string>): Promise<Reply> =>
  streamText(pieces, request.headers.get("accept-encoding"), (cause) =>
    service.log.error(faultLine(cause) ?? "a reply broke off", cause),
  );

/** The reply in pieces. What is cut off anywhere is not JSON, so it is never taken for the whole. */
async function* pullText(ask: Ask, accountId: number, pull: Pull): AsyncGenerator<string> {
  let delivered = 0;
  yield `${headOf(pull)},"changes":{`;
  for (const [index, table] of TABLES.entries()) {
    let separator = `${index === 0 ? "" : ","}"${table}":[`;
    for await (const rows of pullRows(ask.store, accountId, table, pull)) {
      yield separator + rows.join(",");
      separator = ",";
      delivered += rows.length;
    }
    yield separator === "," ? "]" : `${separator}]`;
  }
  closeFor(ask, accountId, pull);
  yield "}}";
  countFor(ask, delivered);
}

/**
 * `POST /sync`: a device's changes. Says what of them does not stand as it was sent, and why. `since` is the
 * `server_time` up to which the device has stored what it was given; else that of its last pull counts.
 */
export const postSync = async (ask: Ask<PushQuery, PushBody>): Promise<Reply> => {
  const { id, account } = callerOf(ask);
  const named = ask.query.since === undefined ? {} : { since: parseSince(ask.query.since) };
  const sender = { sessionId: id, ...named };
  const result = await pushChanges(ask.store, account.id, sender, ask.body, ask.now);
  return stream(ask, pushText(ask, account.id, result));
};

/** There is no `server_time` here: taken as a cursor it would skip what was not pulled yet. */
async function* pushText(
  ask: Ask,
  accountId: number,
  { applied, rejected, merged, invalid }: PushResult,
): AsyncGenerator<string> {
  yield `{"applied":${applied},"rejected":[`;
  for (const [index, { table, id, updatedAt, reason }] of rejected.entries()) {
    const head = { table, id, updated_at: updatedAt, reason };
    yield comma(index) + (await withServerRow(ask, accountId, head));
  }
  yield `],"merged":[`;
  for (const [index, { table, id }] of merged.entries())
    yield comma(index) + (await withServerRow(ask, accountId, { table, id }));
  yield `],"invalid":${JSON.stringify(invalid)}}`;
}

const comma = (index: number): string => (index === 0 ? "" : ",");

const withServerRow = async (
  ask: Ask,
  accountId: number,
  head: { readonly table: Table; readonly id: string },
): Promise<string> => {
  const row = await readServerRow(ask.store, accountId, head);
  return `${JSON.stringify(head).slice(0, -1)},"server_row":${row}}`;
};
