import type { StoredReply, KeyedRequest } from "../../domain/calls/idempotency.ts";

/** A keyed request that is being done: what comes meanwhile under the same key is not done a second time. */
type Begun = {
  readonly bodyHash: string;
  /** What it was answered before: it is then not done, but answered so again. */
  readonly before: Promise<StoredReply | null>;
};

/** The keyed requests that are being done. */
export type Running = {
  readonly find: (request: KeyedRequest) => Begun | null;
  readonly begin: (request: KeyedRequest, before: Begun["before"]) => void;
  readonly end: (request: KeyedRequest) => void;
};

/** One server has the data, so its memory knows all that is being done with them. */
export const startRunning = (): Running => {
  const running = new Map<string, Begun>();
  return {
    find: (request) => running.get(nameOf(request)) ?? null,
    begin: (request, before) => {
      running.set(nameOf(request), { bodyHash: request.bodyHash, before });
    },
    end: (request) => {
      running.delete(nameOf(request));
    },
  };
};

const nameOf = ({ credentialId, method, path, idempotencyKey }: KeyedRequest): string =>
  JSON.stringify([credentialId, method, path, idempotencyKey]);
