import { eq } from "drizzle-orm";
import {
  type ApiKey,
  MAX_LIVE_KEYS,
  replaceRefusal,
  successorOf,
} from "../../domain/people/api-key.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { invalid } from "../../domain/base/refusal.ts";
import type { Random } from "../../domain/base/secret.ts";
import { countLive, findKey, insertKey, type NewKey } from "./api-keys.ts";
import type { Store } from "../store.ts";
import { apiKey } from "../schema/credentials.ts";

/**
 * Replaces a live key with a successor of the same name, scopes, restriction and lifetime. The old
 * key works for `grace` ms more, or until it expires if that is sooner; 0 revokes it at once.
 * Refused as `invalid` if the key is not live or was already replaced.
 *
 * The successor takes the old key's place in the limit, so an account at the limit can still
 * replace keys. Replaced keys that still work have a limit of their own: in all there are never
 * more than twice `MAX_LIVE_KEYS`.
 */
export const replaceKey = (
  store: Store,
  accountId: number,
  id: string,
  grace: number,
  random: Random,
  now: Instant,
): Promise<NewKey & { readonly old: ApiKey }> =>
  store.writer.write((tx) => {
    const before = findKey(tx.orm, accountId, id);
    const refusal = replaceRefusal(before, now);
    if (refusal !== null) throw invalid(refusal);
    if (grace > 0 && countLive(tx, accountId, "replaced", now) >= MAX_LIVE_KEYS)
      throw invalid(
        `This account already has ${MAX_LIVE_KEYS} replaced keys that still work. End this key now, or revoke one of them.`,
      );
    const made = insertKey(tx, accountId, successorOf(before, now), random, now);
    const ends =
      grace === 0
        ? { revokedAt: now }
        : { expiresAt: Math.min(before.expiresAt ?? Number.POSITIVE_INFINITY, now + grace) };
    tx.orm
      .update(apiKey)
      .set({ ...ends, replacedBy: made.key.id })
      .where(eq(apiKey.id, id))
      .run();
    return { ...made, old: { ...before, ...ends, replacedBy: made.key.id } };
  });
