import { eq } from "drizzle-orm";
import { readRestriction, type Scope, writeRestriction } from "../../domain/people/api-key.ts";
import { type Exchange, isVerified } from "../../domain/people/grant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { digestSecret, mintSecret, type Random } from "../../domain/base/secret.ts";
import { apiKey } from "../schema/credentials.ts";
import type { Store } from "../store.ts";
import { addKey, endKey, type KeyFields, type NewKey } from "./api-keys.ts";
import { findCode, insertCode, useCode } from "./codes.ts";
import { selectAccount } from "./credentials.ts";
import { refuseSignedOut } from "./sign-ins.ts";

/** What a person allowed a program: the key that it will get. */
export type ClientConsent = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly key: KeyFields;
};

/** A key as it is stored with a code. */
type Allowed = Omit<KeyFields, "restriction"> & {
  readonly clientId: string;
  readonly restriction: string | null;
};

/**
 * Returns a code that a program exchanges for its key within 60 seconds. Refused as `forbidden` if the browser session has
 * ended meanwhile.
 */
export const issueClientCode = (
  store: Store,
  accountId: number,
  browserSessionId: string,
  { clientId, redirectUri, challenge, key }: ClientConsent,
  random: Random,
  now: Instant,
): Promise<string> =>
  store.writer.write(async (tx) => {
    await refuseSignedOut(tx, accountId, browserSessionId);
    const secret = mintSecret("code", random);
    const restriction = writeRestriction(key.restriction);
    const allowed = JSON.stringify({ ...key, restriction, clientId } satisfies Allowed);
    await insertCode(tx, "client", secret, { accountId, redirectUri, challenge, allowed }, now);
    return secret;
  });

/** The outcome of redeeming a code: a key, or the reason why there is none. */
export type RedeemedByClient =
  | ({ readonly state: "good" } & NewKey)
  | { readonly state: "disabled" | "expired" | "full" | "unfit" | "unknown" | "used" };

/**
 * Creates the key of a program that presents its code. As for the extension, a code that does not fit its request becomes
 * void, and one that was used already ends the key that it led to.
 */
export const redeemClientCode = (
  store: Store,
  { code, clientId, redirectUri, verifier }: Exchange,
  random: Random,
  now: Instant,
): Promise<RedeemedByClient> =>
  store.writer.write(async (tx) => {
    const { state, row } = await findCode(tx, "client", code, now);
    if (state === "used" && row.sessionId !== null)
      await endKey(tx, row.accountId, row.sessionId, now);
    if (state !== "good") return { state };
    const { clientId: issuedTo, restriction, ...key } = JSON.parse(row.allowed ?? "{}") as Allowed;
    const fits =
      issuedTo === clientId &&
      row.redirectUri === redirectUri &&
      isVerified(verifier, row.challenge ?? "");
    await useCode(tx, row.id, null, now);
    if (!fits) return { state: "unfit" };
    const owner = await selectAccount(tx.orm).get({ id: row.accountId });
    if (!owner || owner.disabledAt !== null) return { state: "disabled" };
    const scopes = key.scopes as readonly Scope[];
    const fields = { ...key, scopes, restriction: readRestriction(restriction) };
    try {
      const made = await addKey(tx, owner.id, fields, random, now);
      await useCode(tx, row.id, made.key.id, now);
      return { state: "good", ...made };
    } catch (error) {
      if (error instanceof Refusal && error.reason === "invalid") return { state: "full" };
      throw error;
    }
  });

/** Ends the key that a program got by consent. Returns whether it was one. A key that a person made stays. */
export const revokeClientKey = (store: Store, secret: string, now: Instant): Promise<boolean> =>
  store.writer.write(async (tx) => {
    const digest = digestSecret(secret);
    const row = await tx.orm.select().from(apiKey).where(eq(apiKey.digest, digest)).get();
    if (!row || row.client === null) return false;
    await endKey(tx, row.accountId, row.id, now);
    return true;
  });
