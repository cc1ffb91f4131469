import { closePull, recordSince } from "../db/records/acks.ts";
import { openPull, type Pull, pullRows } from "../db/records/pull.ts";
import { pushChanges, type PushResult } from "../db/records/push.ts";
import { gatherChanges, parseChange } from "../domain/sync/change.ts";
import { breathe } from "../domain/base/breathe.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { formatInstant, type Instant, SECOND } from "../domain/base/instant.ts";
import { type ApiContext, callerOf, whileSignedIn } from "./route.ts";
import { parseLimit, parseSince, parseWait } from "../server/tasks/filter.ts";
import type { Reply } from "../server/call.ts";
import { MAX_PAGE, MAX_WAIT, type PullQuery, type PushBody, type PushQuery } from "./schemas.ts";
import { identifyAgain } from "../server/checks/admission.ts";
import { readEpoch } from "../db/records/clock.ts";
import { readServerRow } from "../db/records/server-row.ts";
import { countPull } from "../db/records/sync-counts.ts";
import { markOf, revText } from "../domain/base/rev.ts";
import { type RecordKey, TABLES } from "../domain/base/record.ts";

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
  { since, limit, wait }: PullRequest,
): Promise<Reply> => {
  const { request, service, store } = context;
  const { account } = callerOf(context);
  const call = { accountId: account.id, caller: callerOf(context), since: from };
  await service.news.wait(call, wait * SECOND, request.signal);
  // Nobody reads this.
  if (request.signal.aborted) return { body: "", headers: {} };
  const now = service.clock.wall();
  // The session may have ended while it waited.
  await identifyAgain(store, request, now);
  const pull = await openPull(store, account.id, since, limit, now);
  return answerPull({ ...context, now }, pull);
};

type PullRequest = {
  readonly since: Instant | null;
  readonly limit: number | null;
  readonly wait: number;
};

const answerPull = (context: ApiContext, pull: Pull): Promise<Reply> => {
  const { id: accountId } = callerOf(context).account;
  return pull.empty
    ? nothingNew(context, accountId, pull)
    : stream(context, pullText(context, accountId, pull));
};

const stream = (context: ApiContext, pieces: AsyncGenerator<string>): Promise<Reply> => {
  const { request, service } = context;
  const accepted = request.headers.get("accept-encoding");
  return streamText(whileSignedIn(context, pieces), accepted, (cause) => {
    if (cause instanceof Refusal)
      service.log.warn("a reply was cut off: its session has ended meanwhile");
    else service.log.error(service.store.faults.line(cause) ?? "a reply broke off", cause);
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
  const result = await store.transaction(account.id, now, async (tx) => {
    // A long push lets others go on and may wait for another one. Its session may have ended meanwhile.
    await identifyAgain(store, context.request, context.service.clock.wall());
    return pushChanges(tx, sender, parsed);
  });
  return stream(context, pushText(context, account.id, result));
};

const NOTHING = JSON.stringify(Object.fromEntries(TABLES.map((table) => [table, []])));

/** Returns the reply for a device that polls and finds nothing new, the commonest one. */
const nothingNew = async (context: ApiContext, accountId: number, pull: Pull): Promise<Reply> => {
  const accepted = context.request.headers.get("accept-encoding");
  await closeFor(context, accountId, pull);
  countFor(context, 0);
  return wholeReply(`${headOf(pull)},"changes":${NOTHING}}`, accepted);
};

/** Returns the reply's fields before `changes`, without the closing bracket. */
const headOf = ({ until, epoch, hasMore }: Pull): string =>
  `{"server_time":"${formatInstant(until)}","epoch":${JSON.stringify(epoch)},"has_more":${hasMore}`;

/** A client that disconnects early, or asks with HEAD, counts as not having received anything. */
const closeFor = (context: ApiContext, accountId: number, pull: Pull): Promise<void> =>
  context.request.method === "GET"
    ? closePull(context.store, accountId, callerOf(context).id, pull, context.now)
    : Promise.resolve();

const countFor = (context: ApiContext, delivered: number): void => {
  if (context.request.method === "GET")
    countPull(context.store, callerOf(context), delivered, context.now);
};

/** Yields the reply in pieces. A reply that is cut off is never valid JSON, so nobody takes it for complete. */
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
  await closeFor(context, accountId, pull);
  yield "}}";
  countFor(context, delivered);
}

/**
 * Yields the reply to a push in pieces. It has no `server_time`: a device that took it as its cursor would skip records
 * that it has not pulled yet.
 */
async function* pushText(
  context: ApiContext,
  accountId: number,
  { applied, rejected, merged, invalid, stored, tellsEpoch }: PushResult,
): AsyncGenerator<string> {
  const epoch = await readEpoch(context.store.reader);
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

/** In characters. A longer reply is streamed. */
const WHOLE = 64 * 1024;
/** In characters. Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1024;

type Encoding = "gzip" | "zstd";

/**
 * Returns a reply made of `pieces`. A short one is sent whole. A long one is streamed, each piece read only when the
 * client is ready for it, so that it fills neither the memory nor the event loop. It is compressed if the client
 * accepts that. A failure after the stream has begun cuts the reply off, and is reported to `onFailure` alone.
 */
const streamText = async (
  pieces: AsyncGenerator<string>,
  acceptEncoding: string | null,
  onFailure: (cause: unknown) => void,
): Promise<Reply> => {
  let start = "";
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return wholeReply(start, acceptEncoding);
    start += value;
    if (start.length > WHOLE)
      return streamReply(start, reporting(pieces, onFailure), chooseEncoding(acceptEncoding));
  }
};

async function* reporting(
  pieces: AsyncGenerator<string>,
  onFailure: (cause: unknown) => void,
): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (cause) {
    onFailure(cause);
    throw cause;
  }
}

/** Returns a reply sent whole. It is compressed if the client accepts that and it is long enough. */
const wholeReply = (text: string, acceptEncoding: string | null): Reply => {
  const encoding = text.length < WORTH_COMPRESSING ? null : chooseEncoding(acceptEncoding);
  if (encoding === null) return { body: text, headers: VARY };
  const packed = encoding === "gzip" ? Bun.gzipSync(text) : Bun.zstdCompressSync(text);
  return { body: new Uint8Array(packed), headers: { ...VARY, "content-encoding": encoding } };
};

const streamReply = (
  start: string,
  pieces: AsyncGenerator<string>,
  encoding: Encoding | null,
): Reply => {
  const text = new TextEncoder();
  let next: string | undefined = start;
  const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      // Each piece is read in a new turn of the event loop, so that other requests are answered in between.
      await new Promise((resolve) => setImmediate(resolve));
      next ??= (await pieces.next()).value as string | undefined;
      if (next === undefined) return controller.close();
      controller.enqueue(text.encode(next));
      next = undefined;
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
  if (encoding === null) return { body: plain, headers: VARY };
  // Bun supports zstd. The type comes from the browser types that Preact includes, which do not list it.
  const body = plain.pipeThrough(new CompressionStream(encoding as CompressionFormat));
  return { body, headers: { ...VARY, "content-encoding": encoding } };
};

const VARY = { vary: "Accept-Encoding" };

const chooseEncoding = (accepted: string | null): Encoding | null => {
  const names = new Set(
    (accepted ?? "").split(",").flatMap((entry) => {
      const [name = "", quality = ""] = entry.toLowerCase().split(";");
      return /^\s*q=0(\.0*)?\s*$/.test(quality) ? [] : [name.trim()];
    }),
  );
  return names.has("zstd") ? "zstd" : names.has("gzip") ? "gzip" : null;
};
