import type { Caller } from "../../domain/people/caller.ts";
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

/** The key that a request names, null where it names none. Refuses a malformed one. */
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
 * Sees to it that a request that names a key is done once. Returns the reply that it was given before; null lets
 * it in, and keeps the same request out until it is answered. `body` are the bytes as they came. Refuses
 * the key of a request with another body, and one that is still being done.
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

/** It is known to be running before anything is awaited: of two at once, one is let in. */
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
  // One slash at the end is passed over, as the router does. A credential that was put here by mistake is not kept.
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
