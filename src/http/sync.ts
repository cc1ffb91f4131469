import { recordSince } from "../db/records/acks.ts";
import { faultLine } from "../db/sqlite/faults.ts";
import { openPull, type Pull } from "../db/records/pull.ts";
import { pushChanges } from "../db/records/push.ts";
import { gatherChanges, parseChange } from "../domain/sync/change.ts";
import { breathe } from "../domain/base/breathe.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { type Instant, SECOND } from "../domain/base/instant.ts";
import { type ApiContext, callerOf } from "./context.ts";
import { parseLimit, parseSince, parseWait } from "../server/tasks/query.ts";
import type { Reply } from "../server/reply.ts";
import { MAX_PAGE, MAX_WAIT, type PullQuery, type PushBody, type PushQuery } from "./schemas.ts";
import { whileSignedIn } from "./signed-in.ts";
import { identifyAgain } from "../server/checks/credentials.ts";
import { streamText, wholeReply } from "./stream.ts";
import { nothingNew, pullText, pushText } from "./sync-replies.ts";

/**
 * `GET /sync`: the account's changes since a `server_time`, including tombstones. If there are none, it waits for some
 * as long as the caller asks.
 */
export const getSync = async (context: ApiContext<PullQuery>): Promise<Reply> => {
  const { query } = context;
  const { id, account } = callerOf(context);
  const since = parseSince(query.since);
  const limit = parseLimit(query.limit, MAX_PAGE);
  const wait = parseWait(query.wait, MAX_WAIT);
  // A HEAD request stores nothing, and waits for nothing.
  const isGet = context.request.method === "GET";
  if (isGet) await recordSince(context.store, id, since);
  const pull = await openPull(context.store, account.id, since, limit, context.now);
  return pull.empty && isGet && wait > 0
    ? answerLater(context, pull, { since, limit, wait })
    : answerPull(context, pull);
};

/** Waits for news, and then pulls again. It keeps nothing open meanwhile. */
const answerLater = async (
  context: ApiContext,
  { since: from }: Pull,
  { since, limit, wait }: Asked,
): Promise<Reply> => {
  const { request, service, store } = context;
  const { id, account } = callerOf(context);
  const call = { accountId: account.id, sessionId: id, since: from };
  await service.news.wait(call, wait * SECOND, request.signal);
  // Nobody reads this.
  if (request.signal.aborted) return { body: "", headers: {} };
  const now = service.clock.wall();
  // The session may have ended while it waited.
  identifyAgain(store, request, now);
  const pull = await openPull(store, account.id, since, limit, now);
  return answerPull({ ...context, now }, pull);
};

type Asked = {
  readonly since: Instant | null;
  readonly limit: number | null;
  readonly wait: number;
};

const answerPull = async (context: ApiContext, pull: Pull): Promise<Reply> => {
  const { id: accountId } = callerOf(context).account;
  const accepted = context.request.headers.get("accept-encoding");
  return pull.empty
    ? wholeReply(nothingNew(context, accountId, pull), accepted)
    : stream(context, pullText(context, accountId, pull));
};

const stream = (context: ApiContext, pieces: AsyncGenerator<string>): Promise<Reply> => {
  const { request, service } = context;
  const accepted = request.headers.get("accept-encoding");
  return streamText(whileSignedIn(context, pieces), accepted, (cause) => {
    if (cause instanceof Refusal)
      service.log.warn("a reply was cut off: its session has ended meanwhile");
    else service.log.error(faultLine(cause) ?? "a reply broke off", cause);
  });
};

/**
 * `POST /sync`: applies a device's changes. Replies with those that were not stored as sent, and why. `since`
 * is the `server_time` up to which the device has stored what it was given; without it, that of its last pull
 * counts.
 */
export const postSync = async (context: ApiContext<PushQuery, PushBody>): Promise<Reply> => {
  const { id, account } = callerOf(context);
  const named = context.query.since === undefined ? {} : { since: parseSince(context.query.since) };
  const sender = { sessionId: id, ...named };
  const read: ReturnType<typeof parseChange>[] = [];
  for (const value of context.body) {
    await breathe();
    read.push(parseChange(value));
  }
  const parsed = gatherChanges(read);
  const { store, now } = context;
  const result = await store.transaction(account.id, now, (tx) => {
    // A long push lets others go on and may wait for another one. Its session may have ended meanwhile.
    identifyAgain(store, context.request, context.service.clock.wall());
    return pushChanges(tx, sender, parsed);
  });
  return stream(context, pushText(context, account.id, result));
};
