import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Account } from "../account.ts";
import type { Instant } from "../instant.ts";
import { digestSecret, mintSecret, type Random, secretKind } from "../secret.ts";
import { isVisitLive, type SignInMethod, type Visit } from "../visit.ts";
import { accountOf } from "./accounts.ts";
import { selectAccount } from "./credentials.ts";
import { newId } from "./ids.ts";
import { touch } from "./lastuse.ts";
import type { Store } from "./open.ts";
import { prepared } from "./orm.ts";
import { visit } from "./schema.entry.ts";
import type { Tx } from "./writer.ts";

type VisitRow = typeof visit.$inferSelect;

const visitOf = ({ digest: _digest, ...shown }: VisitRow): Visit => shown;

/** How a browser came in: by which proof, what it calls itself, from which address. */
export type Arrival = {
  readonly method: SignInMethod;
  readonly client: string | null;
  readonly address: string;
  /** When they proved who they are, if not right now: an OpenID provider may have let them pass unasked. */
  readonly provenAt?: Instant;
};

/** Signs a browser in. The cookie's value is returned here and never again: only its digest is kept. */
export const createVisit = (
  store: Store,
  accountId: number,
  arrival: Arrival,
  random: Random,
  now: Instant,
): Promise<string> => store.writer.write((tx) => insertVisit(tx, accountId, arrival, random, now));

/**
 * `createVisit` by a password that was found to fit `passwordHash`. Null if that is not the account's any
 * more: the comparison took a while, and whoever sets a new password keeps all out who have the old one.
 */
export const createVisitByPassword = (
  store: Store,
  { accountId, passwordHash }: FittingPassword,
  arrival: Arrival,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write((tx) => {
    const row = selectAccount(tx.orm).get({ id: accountId });
    const stands = row?.passwordHash === passwordHash && row.disabledAt === null;
    return stands ? insertVisit(tx, accountId, arrival, random, now) : null;
  });

export type FittingPassword = { readonly accountId: number; readonly passwordHash: string };

/** `createVisit`, in a transaction that does more. */
export const insertVisit = (
  tx: Tx,
  accountId: number,
  arrival: Arrival,
  random: Random,
  now: Instant,
): string => {
  const { provenAt = now, ...came } = arrival;
  const secret = mintSecret("page", random);
  const times = { createdAt: now, lastUsedAt: now, authenticatedAt: provenAt };
  const digest = digestSecret(secret);
  tx.orm
    .insert(visit)
    .values({ id: newId(now), accountId, digest, ...came, ...times })
    .run();
  return secret;
};

const selectVisit = prepared((orm) =>
  orm
    .select()
    .from(visit)
    .where(eq(visit.digest, sql.placeholder("digest")))
    .prepare(),
);

/** A visit and whose it is. */
export type SignedIn = { readonly visit: Visit; readonly account: Account };

/** Who a cookie stands for, null if for nobody: unknown, ended, expired, or of a disabled account. */
export const findVisit = async (
  store: Store,
  secret: string,
  now: Instant,
): Promise<SignedIn | null> => {
  if (secretKind(secret) !== "page") return null;
  const digest = digestSecret(secret);
  const row = selectVisit(store.reader).get({ digest });
  if (!row || !crypto.timingSafeEqual(row.digest, digest)) return null;
  const found = visitOf(row);
  const owner = isVisitLive(found, now)
    ? selectAccount(store.reader).get({ id: found.accountId })
    : undefined;
  if (!owner || owner.disabledAt !== null) return null;
  touch(store, visit, found, now);
  return { visit: found, account: accountOf(owner) };
};

/**
 * Whoever sits there has proved again who they are. Returns the cookie that the visit has from now on,
 * null if it has ended meanwhile: whoever copied the one before is out (OWASP ASVS 5.0, 7.2.4).
 */
export const renewVisit = (
  store: Store,
  accountId: number,
  id: string,
  random: Random,
  now: Instant,
): Promise<string | null> =>
  store.writer.write((tx) => renewVisitIn(tx, accountId, id, random, now));

/** `renewVisit`, in a transaction that does more. */
export const renewVisitIn = (
  tx: Tx,
  accountId: number,
  id: string,
  random: Random,
  now: Instant,
): string | null => {
  const secret = mintSecret("page", random);
  const renewed = tx.orm
    .update(visit)
    .set({ authenticatedAt: now, digest: digestSecret(secret) })
    .where(and(own(accountId, id), isNull(visit.endedAt)))
    .returning()
    .all();
  return renewed.length > 0 ? secret : null;
};

const own = (accountId: number, id: string) =>
  and(eq(visit.accountId, accountId), eq(visit.id, id));

/** The account's visits that have not ended, the one used last first. */
export const listVisits = async (
  store: Store,
  accountId: number,
  now: Instant,
): Promise<readonly Visit[]> =>
  store.reader
    .select()
    .from(visit)
    .where(and(eq(visit.accountId, accountId), isNull(visit.endedAt)))
    .orderBy(desc(visit.lastUsedAt), desc(visit.id))
    .all()
    .map(visitOf)
    .filter((found) => isVisitLive(found, now));
