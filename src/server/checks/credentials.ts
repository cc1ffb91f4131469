import type { Caller } from "../../domain/people/caller.ts";
import { authenticate } from "../../db/people/credentials.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { secretKind } from "../../domain/base/secret.ts";
import type { Store } from "../../db/store.ts";
import { APP_HEADER, tokenIn, tokenOf } from "./authorization.ts";

/** Returns the caller that the token belongs to. Refuses a missing, unknown, expired or revoked token (401). */
export const identify = (
  store: Store,
  { headers }: Request,
  token: string | undefined,
  now: Instant,
): Caller => {
  const caller = token === undefined ? null : authenticate(store, token, now);
  if (caller) return caller;
  // The same text for unknown, expired and revoked, so that nobody learns which tokens once existed.
  const sent = headers.has("authorization") || headers.has(APP_HEADER);
  throw new Refusal(
    "unauthenticated",
    sent
      ? "The credential is not valid. It may be mistyped, expired or revoked. Create a new key or sign in again."
      : "This request needs a credential. Send it as Authorization: Bearer <token>.",
    { "www-authenticate": `Bearer realm="docket"${sent ? ', error="invalid_token"' : ""}` },
  );
};

/** Looks at a request's credential once more. Refuses it if it has ended meanwhile (401). */
export const identifyAgain = (store: Store, request: Request, now: Instant): Caller =>
  identify(store, request, tokenIn(request.headers) ?? undefined, now);

/**
 * Returns the API key that a request was sent with, or null. Used to list calls that are refused before the caller is
 * known.
 */
export const findKey = (store: Store, { headers }: Request, now: Instant): Caller | null => {
  const token = tokenOf(headers.get("authorization"));
  return token !== null && secretKind(token) === "live" ? authenticate(store, token, now) : null;
};
