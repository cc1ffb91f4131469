import { eq, sql } from "drizzle-orm";
import { type Ack, acknowledge, type Issued, issue, NO_ACK } from "../../domain/sync/ack.ts";
import type { Instant } from "../../domain/base/instant.ts";
import type { MaybePromise } from "../../domain/base/maybe-promise.ts";
import { highWater } from "./clock.ts";
import { direct, named } from "../sqlite/direct-query.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { session } from "../schema/credentials.ts";
import { remembered } from "../sqlite/shared-reads.ts";
import type { Tx, Writer } from "../sqlite/transaction.ts";

/**
 * What sessions are known to have stored, of those that were heard since the start. It moves with every
 * pull, so it is written down where a pull writes anyway: what a crash takes of it only makes the server
 * more careful. A lower ack alone must not be forgotten.
 */
export type Acks = Map<string, Ack>;

/** What a pull gave: all up to `until`, by `serverTime`, and whether more was known then. */
type Given = {
  readonly until: Instant;
  readonly serverTime: Instant;
  readonly hasMore: boolean;
};

/** The store, as far as acks go. */
type Hearing = { readonly acks: Acks; readonly reader: Orm; readonly writer: Writer };

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

/** What the session is known to have stored. `orm` is the connection to look by. */
export const ackOf = (acks: Acks, orm: Orm, sessionId: string): Ack => {
  const known = acks.get(sessionId) ?? storedAck(orm, sessionId);
  acks.set(sessionId, known);
  return known;
};

const storedAck = remembered((orm, id: string): Ack => {
  const { since = null, issued = null } = selectAck(orm).get({ id }) ?? {};
  return { since, issued: issued === null ? [] : (JSON.parse(issued) as readonly Issued[]) };
});

/** A pull's `since` tells what the device has stored. Where that is less than before, it is written first. */
export const hearSince = (
  { acks, reader, writer }: Hearing,
  sessionId: string,
  since: Instant | null,
): MaybePromise<void> => {
  const ack = acknowledge(ackOf(acks, reader, sessionId), since);
  acks.set(sessionId, ack);
  const stored = storedAck(reader, sessionId).since;
  if (stored === null || (ack.since !== null && ack.since >= stored)) return;
  // Where it cannot be written, memory has it: only a crash would forget.
  const written = writer.write((tx) => saveAck(tx, acks, sessionId)).catch(() => {});
  return writer.writtenOrBlocked(written);
};

/**
 * Remembers that a session is given a pull's `server_time`: to be called when all rows were read, before the
 * reply ends. What was written meanwhile took its record out of the pull.
 */
export const closePull = (
  store: Hearing,
  accountId: number,
  sessionId: string,
  { until, serverTime, hasMore }: Given,
): void => {
  const isPartial = hasMore || highWater(store.reader, accountId) > until;
  const issued = { time: until, at: serverTime, ...(isPartial ? { partial: true as const } : {}) };
  issueTo(store, sessionId, issued);
};

/** Remembers that the session is given this `server_time`. */
export const issueTo = ({ acks, reader }: Hearing, sessionId: string, issued: Issued): void => {
  acks.set(sessionId, issue(ackOf(acks, reader, sessionId), issued));
};

/** Writes down what is known of the session, in a transaction that does more. */
export const saveAck = ({ orm }: Tx, acks: Acks, id: string): void => {
  const { since, issued } = acks.get(id) ?? NO_ACK;
  updateAck(orm).run({ id, since, issued: JSON.stringify(issued) });
};

/** Writes down all that is known, at a graceful stop. */
export const saveAcks = (tx: Tx, acks: Acks): void => {
  for (const id of acks.keys()) saveAck(tx, acks, id);
};
