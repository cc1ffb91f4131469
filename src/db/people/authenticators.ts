import { and, count, eq } from "drizzle-orm";
import { mintCode, readCode } from "../../domain/people/code.ts";
import { totpStepOf } from "../../domain/people/totp.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { digestSecret, type Random } from "../../domain/base/secret.ts";
import { mustFind } from "./accounts.ts";
import { hasAuthenticator, readAuthenticator, renewBrowserSessionIn } from "./browser-sessions.ts";
import { endBrowserSessionsIn } from "./revocation.ts";
import type { Store } from "../store.ts";
import { authenticator, recoveryCode } from "../schema/sign-in.ts";
import type { Tx } from "../writer.ts";

/** How many recovery codes a person gets at a time. */
const CODES = 10;

/** When the account's app was set up, and how many recovery codes are left; null without an app. */
export const findAuthenticator = async (
  store: Store,
  accountId: number,
): Promise<{ readonly createdAt: Instant; readonly codesLeft: number } | null> => {
  const row = await readAuthenticator(store.reader, accountId);
  if (!row) return null;
  const left = await store.reader
    .select({ codes: count() })
    .from(recoveryCode)
    .where(eq(recoveryCode.accountId, accountId))
    .get();
  return { createdAt: row.createdAt, codesLeft: left?.codes ?? 0 };
};

/** The recovery codes that were made, and the remaining browser session's new cookie. */
export type TurnedOn = { readonly codes: readonly string[]; readonly cookie: string };

/**
 * Turns the second factor on with a secret whose code of `step` the person has just typed. Every other browser is
 * signed out. Null, and nothing has changed, if there is an app already or the browser session has ended.
 */
export const turnOnAuthenticator = (
  store: Store,
  accountId: number,
  keepBrowserSessionId: string,
  made: { readonly secret: Uint8Array; readonly step: number },
  random: Random,
  now: Instant,
): Promise<TurnedOn | null> =>
  store.writer.write(async (tx) => {
    if (await hasAuthenticator(tx.orm, accountId)) return null;
    const cookie = await renewBrowserSessionIn(tx, accountId, keepBrowserSessionId, random, now);
    if (cookie === null) return null;
    const secret = Buffer.from(made.secret);
    await tx.orm
      .insert(authenticator)
      .values({ accountId, secret, createdAt: now, lastStep: made.step })
      .run();
    await endBrowserSessionsIn(tx, accountId, keepBrowserSessionId, now);
    return { codes: await replaceCodes(tx, accountId, random, now), cookie };
  });

/** Returns ten new recovery codes, which replace the account's old ones; null if it has no app. */
export const replaceRecoveryCodes = (
  store: Store,
  accountId: number,
  random: Random,
  now: Instant,
): Promise<readonly string[] | null> =>
  store.writer.write(async (tx) =>
    (await hasAuthenticator(tx.orm, accountId))
      ? await replaceCodes(tx, accountId, random, now)
      : null,
  );

const replaceCodes = async (
  tx: Tx,
  accountId: number,
  random: Random,
  now: Instant,
): Promise<readonly string[]> => {
  const codes = Array.from({ length: CODES }, () => mintCode("recovery", random));
  await tx.orm.delete(recoveryCode).where(eq(recoveryCode.accountId, accountId)).run();
  await tx.orm
    .insert(recoveryCode)
    .values(codes.map((code) => ({ digest: digestSecret(code), accountId, createdAt: now })))
    .run();
  return codes;
};

/** Turns the second factor off. Every browser but one is signed out. Returns whether it was on. */
export const turnOffAuthenticator = (
  store: Store,
  accountId: number,
  keepBrowserSessionId: string,
  now: Instant,
): Promise<boolean> =>
  store.writer.write(async (tx) => {
    const wasOn = await forgetAuthenticator(tx, accountId);
    if (wasOn) await endBrowserSessionsIn(tx, accountId, keepBrowserSessionId, now);
    return wasOn;
  });

/** The same by command, for someone who is locked out: all of the account's browsers are signed out. */
export const turnOffAuthenticatorOf = (
  store: Store,
  email: string,
  now: Instant,
): Promise<boolean> =>
  store.writer.write(async (tx) => {
    const { id } = await mustFind(tx, email);
    const wasOn = await forgetAuthenticator(tx, id);
    if (wasOn) await endBrowserSessionsIn(tx, id, null, now);
    return wasOn;
  });

/** Deletes the secret and the recovery codes as part of a larger transaction. Returns whether there was a secret. */
export const forgetAuthenticator = async (tx: Tx, accountId: number): Promise<boolean> => {
  await tx.orm.delete(recoveryCode).where(eq(recoveryCode.accountId, accountId)).run();
  const gone = await tx.orm
    .delete(authenticator)
    .where(eq(authenticator.accountId, accountId))
    .returning({ accountId: authenticator.accountId })
    .all();
  return gone.length > 0;
};

/**
 * Uses up a code of the app or a recovery code. `used` is a right code of the app that was accepted before, or one
 * older than that. If several requests bring one code at once, exactly one of them is `good`.
 */
export const useSecondFactor = (
  store: Store,
  accountId: number,
  typed: string,
  now: Instant,
): Promise<"good" | "used" | "wrong"> =>
  store.writer.write(async (tx) => {
    const row = await readAuthenticator(tx.orm, accountId);
    if (!row) return "wrong";
    const step = totpStepOf(row.secret, typed, now);
    if (step === null) return (await useRecoveryCode(tx, accountId, typed)) ? "good" : "wrong";
    if (step <= row.lastStep) return "used";
    await tx.orm
      .update(authenticator)
      .set({ lastStep: step })
      .where(eq(authenticator.accountId, accountId))
      .run();
    return "good";
  });

const useRecoveryCode = async (tx: Tx, accountId: number, typed: string): Promise<boolean> => {
  const own = and(
    eq(recoveryCode.accountId, accountId),
    eq(recoveryCode.digest, digestSecret(readCode(typed))),
  );
  const used = await tx.orm.delete(recoveryCode).where(own).returning().all();
  return used.length > 0;
};
