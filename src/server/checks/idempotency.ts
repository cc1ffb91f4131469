import type { Caller } from "../../domain/people/account.ts";
import { findStoredReply } from "../../db/calls/idempotency.ts";
import type { Call } from "../call.ts";
import type { Service } from "../service.ts";
import {
  type StoredReply,
  type KeyedRequest,
  readIdempotencyKey,
} from "../../domain/calls/idempotency.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { say } from "../../domain/base/message.ts";
import { invalid, Refusal } from "../../domain/base/refusal.ts";
import { withoutSecrets } from "../../domain/base/secret.ts";

const KEY = { header: "Idempotency-Key" } as const;

/** Returns the value of `Idempotency-Key`, or null without one. Refuses a malformed one (400). */
export const idempotencyKeyOf = (headers: Headers): string | null => {
  const field = headers.get("idempotency-key");
  if (field === null) return null;
  const key = readIdempotencyKey(field);
  if (key !== null) return key;
  throw new Refusal(
    "malformed",
    say`${KEY} must be 1 to 255 printable ASCII characters in quotes, such as "8e03978e-40d5-43e8-bc93".`,
  );
};

/**
 * Makes sure that requests with the same `Idempotency-Key` are carried out once. Returns the stored reply of an
 * earlier one, or null: then this is the first, and others wait until it is answered. `body` holds the bytes as
 * received. Refuses another body under the same key (422), and a repeat while the first is in progress (409).
 */
export const beginOnce = async (
  service: Service,
  call: Call,
  caller: Caller,
  key: string,
  body: Uint8Array,
): Promise<StoredReply | null> => {
  const request = keyedRequest(call, caller, key, body);
  const running = service.running.find(request);
  const stored = running ? await running.storedReply : await beginFirst(service, request, call.now);
  const known = stored ?? running;
  if (known) checkBody(request, known);
  if (running && !stored) throw stillRunning();
  if (!stored) call.keyed = request;
  return stored;
};

/**
 * Registers the request as running before awaiting anything, so that of two at the same time only one gets through.
 */
const beginFirst = async (
  { store, running }: Service,
  request: KeyedRequest,
  now: Instant,
): Promise<StoredReply | null> => {
  const search = findStoredReply(store, request, now);
  running.begin(request, search);
  try {
    const stored = await search;
    if (stored) running.end(request);
    return stored;
  } catch (error) {
    running.end(request);
    throw error;
  }
};

const keyedRequest = (call: Call, caller: Caller, key: string, body: Uint8Array): KeyedRequest => ({
  credentialId: caller.id,
  method: call.method,
  // The router ignores one trailing slash, so this does too. A credential put in the path by mistake must not be
  // stored.
  path: withoutSecrets(call.path.replace(/(?<=[^/])\/$/, "")),
  idempotencyKey: withoutSecrets(key),
  bodyHash: new Bun.CryptoHasher("sha256").update(body).digest("hex"),
});

const checkBody = ({ bodyHash }: KeyedRequest, known: { readonly bodyHash: string }): void => {
  if (bodyHash === known.bodyHash) return;
  throw invalid(
    say`This ${KEY} was already used with ${{ phrase: "a different body" }}. Send ${{ phrase: "the same body" }} again, or use a new key.`,
  );
};

const stillRunning = (): Refusal =>
  new Refusal(
    "still_running",
    say`The first request with this ${KEY} is still in progress. Send it again in a second.`,
    { "retry-after": "1" },
  );
