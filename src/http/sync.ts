import { countPull } from "../db/counts.ts";
import { openPull, type Pull, pullRows } from "../db/pull.ts";
import { pushChanges, type PushResult, readServerRow } from "../db/push.ts";
import { formatInstant } from "../instant.ts";
import { TABLES } from "../record.ts";
import { type Ask, callerOf } from "./ask.ts";
import { parseLimit, parseSince } from "./query.ts";
import type { Reply } from "../door/reply.ts";
import { MAX_PAGE, type PullQuery, type PushBody } from "./schemas.ts";
import { streamText } from "./stream.ts";

/** `GET /sync`: the account's changes since a `server_time`, tombstones too. */
export const getSync = async (ask: Ask<PullQuery>): Promise<Reply> => {
  const { query } = ask;
  const accountId = callerOf(ask).account.id;
  const limit = parseLimit(query.limit, MAX_PAGE);
  const pull = await openPull(ask.store, accountId, parseSince(query.since), limit, ask.now);
  return streamText(pullText(ask, accountId, pull), ask.request.headers.get("accept-encoding"));
};

/** The reply in pieces. What is cut off anywhere is not JSON, so it is never taken for the whole. */
async function* pullText(ask: Ask, accountId: number, pull: Pull): AsyncGenerator<string> {
  const { until, epoch, hasMore } = pull;
  let delivered = 0;
  const head = JSON.stringify({ server_time: formatInstant(until), epoch, has_more: hasMore });
  yield `${head.slice(0, -1)},"changes":{`;
  for (const [index, table] of TABLES.entries()) {
    let separator = `${index === 0 ? "" : ","}"${table}":[`;
    for await (const rows of pull.empty ? [] : pullRows(ask.store, accountId, table, pull)) {
      yield separator + rows.join(",");
      separator = ",";
      delivered += rows.length;
    }
    yield separator === "," ? "]" : `${separator}]`;
  }
  yield "}}";
  // Whoever breaks off, or asks with HEAD, was not given what is counted here.
  if (ask.request.method === "GET") countPull(ask.store, callerOf(ask), delivered, ask.now);
}

/** `POST /sync`: a device's changes. Says what of them does not stand as it was sent, and why. */
export const postSync = async (ask: Ask<unknown, PushBody>): Promise<Reply> => {
  const { id, account } = callerOf(ask);
  const result = await pushChanges(ask.store, account.id, id, ask.body, ask.now);
  const pieces = pushText(ask, account.id, result);
  return streamText(pieces, ask.request.headers.get("accept-encoding"));
};

/** There is no `server_time` here: taken as a cursor it would skip what was not pulled yet. */
async function* pushText(
  ask: Ask,
  accountId: number,
  { applied, rejected, invalid }: PushResult,
): AsyncGenerator<string> {
  yield `{"applied":${applied},"rejected":[`;
  for (const [index, rejection] of rejected.entries()) {
    const { table, id, updatedAt, reason } = rejection;
    const head = JSON.stringify({ table, id, updated_at: updatedAt, reason });
    const row = await readServerRow(ask.store, accountId, rejection);
    yield `${index === 0 ? "" : ","}${head.slice(0, -1)},"server_row":${row}}`;
  }
  yield `],"merged":[],"invalid":${JSON.stringify(invalid)}}`;
}
