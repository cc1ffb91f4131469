import type { KeyedRequest, StoredReply } from "../../domain/calls/idempotency.ts";

/** A request with an `Idempotency-Key` that is in progress. */
type RunningRequest = {
  readonly bodyHash: string;
  /** The reply stored for an earlier request with this key, if any. It is then sent again. */
  readonly storedReply: Promise<StoredReply | null>;
};

/** The requests with an `Idempotency-Key` that are in progress. */
export type Running = {
  readonly find: (request: KeyedRequest) => RunningRequest | null;
  readonly begin: (request: KeyedRequest, storedReply: RunningRequest["storedReply"]) => void;
  readonly end: (request: KeyedRequest) => void;
};

/** Kept in memory, which is enough because only one server uses a data directory. */
export const startRunning = (): Running => {
  const running = new Map<string, RunningRequest>();
  return {
    find: (request) => running.get(nameOf(request)) ?? null,
    begin: (request, storedReply) => {
      running.set(nameOf(request), { bodyHash: request.bodyHash, storedReply });
    },
    end: (request) => {
      running.delete(nameOf(request));
    },
  };
};

const nameOf = ({ credentialId, method, path, idempotencyKey }: KeyedRequest): string =>
  JSON.stringify([credentialId, method, path, idempotencyKey]);
