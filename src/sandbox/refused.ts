import { SECOND } from "../domain/base/instant.ts";
import { type Reason, Refusal } from "../domain/base/refusal.ts";
import type { Call } from "../server/call.ts";
import type { Wishes, WishName } from "./wishes.ts";

const FORCED = "The sandbox refused this because the Docket-Sandbox header asked for it.";

const INVALID_TOKEN = { "www-authenticate": 'Bearer realm="docket", error="invalid_token"' };

const REASONS: Readonly<Partial<Record<WishName, Reason>>> = {
  401: "unauthenticated",
  403: "forbidden",
  429: "too_many",
  503: "unavailable",
};

/**
 * Returns the refusal that a request asks for, or null. The request itself is not carried out. A 429 also says in its
 * rate-limit headers that nothing is left.
 */
export const forcedRefusal = (wishes: Wishes, call: Call): Refusal | null => {
  for (const [name, seconds] of wishes) {
    const reason = REASONS[name];
    if (reason === undefined) continue;
    if (reason === "too_many") call.quotas = nothingLeft(seconds);
    return new Refusal(reason, FORCED, headersOf(reason, seconds));
  }
  return null;
};

const headersOf = (reason: Reason, seconds: number): Readonly<Record<string, string>> => {
  if (reason === "unauthenticated") return INVALID_TOKEN;
  return reason === "forbidden" ? {} : { "retry-after": String(seconds) };
};

const nothingLeft = (seconds: number) => {
  const quota = { remaining: 0, nextIn: seconds * SECOND };
  return { minute: quota, hour: quota };
};
