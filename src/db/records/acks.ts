import { eq, sql } from "drizzle-orm";
import { type Ack, acknowledge, deliver, type Delivery, NO_ACK } from "../../domain/sync/proof.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { highWater } from "./clock.ts";
import { type Orm, direct, named, prepared, remembered } from "../query.ts";
import type { Tx, Writer } from "../writer.ts";
import { session } from "../schema/credentials.ts";

/**
 * What each session is known to have stored, for sessions that called since the server started. It changes
 * with every pull, so it is saved only when a pull writes anyway. Losing it in a crash is safe: the server
 * then assumes that the device knows less. The exception is an ack that goes down, which must not be lost.
 */
export type Acks = Map<string, Ack>;

/** What a pull delivered: everything after `since` up to `until`, if anything, and whether there was more. */
type Delivered = {
  readonly since: Instant;
  readonly until: Instant;
  readonly hasMore: boolean;
  readonly empty: boolean;
};

/** The parts of the store that acks need. */
type AckStore = { readonly acks: Acks; readonly reader: Orm; readonly writer: Writer };

type Stored = { readonly since: Instant | null; readonly issued: string | null };

const selectAck = direct<Stored>((orm) =>
  orm
    .select(named({ since: session.ack, issued: session.issued }))
    .from(session)
    .where(eq(session.id, sql.placeholder("id"))),
);

const updateAck = prepared((orm) =>
  orm
    .update(session)
    .set({
      ack: sql`${sql.placeholder("since")}`,
      issued: sql`${sql.placeholder("issued")}`,
    })
    .where(eq(session.id, sql.placeholder("id")))
    .prepare(),
);

/** Returns what the session is known to have stored. `orm` is the connection to read from. */
export const ackOf = async (acks: Acks, orm: Orm, sessionId: string): Promise<Ack> => {
  await load(acks, orm, sessionId);
  return loaded(acks, sessionId);
};

/** After this, an ack can be read and replaced without awaiting anything in between: calls of a session may overlap. */
const load = async (acks: Acks, orm: Orm, sessionId: string): Promise<void> => {
  if (acks.has(sessionId)) return;
  const stored = await storedAck(orm, sessionId);
  if (!acks.has(sessionId)) acks.set(sessionId, stored);
};

const loaded = (acks: Acks, sessionId: string): Ack => acks.get(sessionId) ?? NO_ACK;

/** Earlier versions also kept replies that did not hold all that there was. */
type StoredDelivery = Delivery & { readonly partial?: true };

const storedAck = remembered(async (orm, id: string): Promise<Ack> => {
  const { since = null, issued = null } = (await selectAck(orm).get({ id })) ?? {};
  const known = issued === null ? [] : (JSON.parse(issued) as readonly StoredDelivery[]);
  return { since, deliveries: known.filter(({ partial }) => !partial), furthest: since };
});

/**
 * Records a pull's `since`, which says what the device has stored. If that is less than before, it is saved
 * before the pull goes on.
 */
export const recordSince = async (
  { acks, reader, writer }: AckStore,
  sessionId: string,
  since: Instant | null,
): Promise<void> => {
  await load(acks, reader, sessionId);
  const ack = acknowledge(loaded(acks, sessionId), since);
  acks.set(sessionId, ack);
  const stored = (await storedAck(reader, sessionId)).since;
  if (stored === null || (ack.since !== null && ack.since >= stored)) return;
  // If the write fails, memory still has the value; only a crash would lose it.
  const written = writer.write((tx) => saveAck(tx, acks, sessionId)).catch(() => {});
  return writer.writtenOrBlocked(written);
};

/**
 * Records that a session is given a pull's `server_time` with everything up to it, at `now` by the wall clock. Call it after
 * all rows are read and before the reply ends. A record that was written in between is no longer part of the pull, and a
 * page is only a part: neither is recorded.
 */
export const closePull = async (
  store: AckStore,
  accountId: number,
  sessionId: string,
  { since, until, hasMore, empty }: Delivered,
  now: Instant,
): Promise<void> => {
  if (hasMore || (await highWater(store.reader, accountId)) > until) return;
  await load(store.acks, store.reader, sessionId);
  const ack = loaded(store.acks, sessionId);
  const isEmpty = empty && since === ack.since;
  store.acks.set(sessionId, deliver(ack, { time: until, at: now }, isEmpty));
};

/** Saves what is known of the session, as part of a transaction that writes anyway. */
export const saveAck = async ({ orm }: Tx, acks: Acks, id: string): Promise<void> => {
  const { since, deliveries } = loaded(acks, id);
  await updateAck(orm).run({ id, since, issued: JSON.stringify(deliveries) });
};

/** Saves what is known of all sessions, at a graceful stop. */
export const saveAcks = async (tx: Tx, acks: Acks): Promise<void> => {
  for (const id of acks.keys()) await saveAck(tx, acks, id);
};
