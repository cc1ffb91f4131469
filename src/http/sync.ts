import { recordSince } from "../db/records/acks.ts";
import { faultLine } from "../db/sqlite/faults.ts";
import { openPull } from "../db/records/pull.ts";
import { pushChanges } from "../db/records/push.ts";
import { parseChanges } from "../domain/sync/change.ts";
import { type MaybePromise, andThen } from "../domain/base/maybe-promise.ts";
import { type ApiContext, callerOf } from "./context.ts";
import { parseLimit, parseSince } from "../server/tasks/query.ts";
import type { Reply } from "../server/reply.ts";
import { MAX_PAGE, type PullQuery, type PushBody, type PushQuery } from "./schemas.ts";
import { streamText, wholeReply } from "./stream.ts";
import { nothingNew, pullText, pushText } from "./sync-replies.ts";

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

const stream = ({ request, service }: ApiContext, pieces: AsyncGenerator<string>): Promise<Reply> =>
  streamText(pieces, request.headers.get("accept-encoding"), (cause) =>
    service.log.error(faultLine(cause) ?? "a reply broke off", cause),
  );

/**
 * `POST /sync`: applies a device's changes. Replies with those that were not stored as sent, and why. `since`
 * is the `server_time` up to which the device has stored what it was given; without it, that of its last pull
 * counts.
 */
export const postSync = async (context: ApiContext<PushQuery, PushBody>): Promise<Reply> => {
  const { id, account } = callerOf(context);
  const named = context.query.since === undefined ? {} : { since: parseSince(context.query.since) };
  const sender = { sessionId: id, ...named };
  const parsed = parseChanges(context.body);
  const { store, now } = context;
  const result = await store.transaction(account.id, now, (tx) => pushChanges(tx, sender, parsed));
  return stream(context, pushText(context, account.id, result));
};
