import type { StoredReply, KeyedRequest } from "../../domain/calls/idempotency.ts";

/** A keyed request that is being done: what comes meanwhile under the same key is not done a second time. */
type RunningRequest = {
  readonly bodyHash: string;
  /** The reply that it was given before: it is then not done, but answered so again. */
  readonly storedReply: Promise<StoredReply | null>;
};

/** The keyed requests that are being done. */
export type Running = {
  readonly find: (request: KeyedRequest) => RunningRequest | null;
  readonly begin: (request: KeyedRequest, storedReply: RunningRequest["storedReply"]) => void;
  readonly end: (request: KeyedRequest) => void;
};

/** One server has the data, so its memory knows all that is being done with them. */
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
