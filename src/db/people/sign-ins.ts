import { rememberRedirect } from "./redirects.ts";
import { and, desc, eq, isNull, notInArray } from "drizzle-orm";
import { CODE_LIFETIME, mintCode, readCode } from "../../domain/people/code.ts";
import { type Exchange, fits } from "../../domain/people/grant.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { mintSecret, type Random } from "../../domain/base/secret.ts";
import { type CodeRow, findCode, insertCode, useCode } from "./codes.ts";
import { selectAccount } from "./credentials.ts";
import type { Store } from "../store.ts";
import { code, browserSession } from "../schema/sign-in.ts";
import { endSession, insertSession, type NewSession } from "./sessions.ts";
import type { Tx } from "../writer.ts";

/** What a person allowed on the consent page. */
export type Consent = {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly deviceName: string;
  /** Whether this redirect address needs no password from now on. */
  readonly remember: boolean;
};

/**
 * Returns a code for the extension to exchange within 60 seconds. Refused as `forbidden` if the
 * browser session has ended meanwhile.
 */
export const issueAuthorization = (
  store: Store,
  accountId: number,
  browserSessionId: string,
  { remember, ...grant }: Consent,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write(async (tx) => {
    await refuseSignedOut(tx, accountId, browserSessionId);
    if (remember) await rememberRedirect(tx, accountId, grant.redirectUri, now);
    const secret = mintSecret("code", random);
    await insertCode(tx, "oauth", secret, { accountId, ...grant }, now);
    return secret;
  });

/**
 * A new password signs the other browsers out and voids their codes. They must not create a code
 * after that.
 */
export const refuseSignedOut = async (
  tx: Tx,
  accountId: number,
  browserSessionId: string,
): Promise<void> => {
  const live = await tx.orm
    .select({ id: browserSession.id })
    .from(browserSession)
    .where(
      and(
        eq(browserSession.id, browserSessionId),
        eq(browserSession.accountId, accountId),
        isNull(browserSession.endedAt),
      ),
    )
    .get();
  if (!live) throw new Refusal("forbidden", "You have been signed out. Sign in again.");
};

/** The outcome of redeeming a code: a device that is signed in, or the reason why not. */
export type Redeemed =
  | ({ readonly state: "good" } & NewSession)
  | { readonly state: "disabled" | "expired" | "unfit" | "unknown" | "used" };

/**
 * Signs in the device whose extension presents a code. A code that does not match its request
 * becomes void. A code that was already used ends the session it led to, because someone else has
 * it (RFC 6749, 4.1.2; OWASP ASVS 5.0, 10.4.2). If several requests use one code at once, exactly
 * one gets a session, and the next one ends it: nobody can tell which of them was the thief.
 */
export const redeemAuthorization = (
  store: Store,
  exchange: Exchange,
  random: Random,
  now: Instant,
): Promise<Redeemed> =>
  store.writer.write(async (tx) => {
    const { state, row } = await findCode(tx, "oauth", exchange.code, now);
    if (state === "used" && row.sessionId !== null) await endSession(tx, row.sessionId, now);
    if (state !== "good") return { state };
    if (fits(row, exchange)) return signDeviceIn(tx, row, row.deviceName ?? "", random, now);
    await useCode(tx, row.id, null, now);
    return { state: "unfit" };
  });

/** How many valid pairing codes an account can have at a time. */
const MOST = 5;

/**
 * Returns a code to type into an extension, and when it expires. A sixth code voids the oldest.
 * Refused as `forbidden` if the browser session has ended meanwhile.
 */
export const issuePairing = (
  store: Store,
  accountId: number,
  browserSessionId: string,
  random: Random,
  now: Instant,
): Promise<{ readonly code: string; readonly expiresAt: Instant }> =>
  store.writer.write(async (tx) => {
    await refuseSignedOut(tx, accountId, browserSessionId);
    await deleteOldest(tx, accountId);
    const minted = mintCode("pairing", random);
    await insertCode(tx, "pairing", minted, { accountId }, now);
    return { code: minted, expiresAt: now + CODE_LIFETIME.pairing };
  });

const deleteOldest = async (tx: Tx, accountId: number): Promise<void> => {
  const unused = and(
    eq(code.purpose, "pairing"),
    eq(code.accountId, accountId),
    isNull(code.usedAt),
  );
  const newest = tx.orm
    .select({ id: code.id })
    .from(code)
    .where(unused)
    .orderBy(desc(code.createdAt), desc(code.id))
    .limit(MOST - 1);
  await tx.orm
    .delete(code)
    .where(and(unused, notInArray(code.id, newest)))
    .run();
};

/**
 * Signs in the device into which someone typed a pairing code. Using the code again ends nothing:
 * people type one code into two devices and mean no harm.
 */
export const redeemPairing = (
  store: Store,
  typed: string,
  deviceName: string,
  random: Random,
  now: Instant,
): Promise<Redeemed> =>
  store.writer.write(async (tx) => {
    const { state, row } = await findCode(tx, "pairing", readCode(typed), now);
    if (state !== "good") return { state };
    return signDeviceIn(tx, row, deviceName, random, now);
  });

const signDeviceIn = async (
  tx: Tx,
  { id, accountId }: CodeRow,
  deviceName: string,
  random: Random,
  now: Instant,
): Promise<Redeemed> => {
  const owner = await selectAccount(tx.orm).get({ id: accountId });
  if (!owner || owner.disabledAt !== null) return { state: "disabled" };
  const made = await insertSession(tx, owner.id, deviceName, random, now);
  await useCode(tx, id, made.session.id, now);
  return { state: "good", ...made };
};
