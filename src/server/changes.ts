import { type ChangedRecord, type Changes, readChanges } from "../db/records/changes.ts";
import { formatInstant, type Instant, SECOND } from "../domain/base/instant.ts";
import type { Caller } from "../domain/people/account.ts";
import { checkAccess, identifyAgain, READ } from "./checks/admission.ts";
import type { Service } from "./service.ts";

/** What is asked for: after `since`, and if nothing is new, waiting so many ms for something. */
export type ChangesAsked = {
  readonly since: Instant | null;
  readonly limit: number;
  readonly wait: number;
};

/** How often a waiting call looks whether its credential is still valid, in ms. */
const LOOKS_AGAIN = SECOND;

/**
 * Returns what changed, of what the caller can reach. It ends early once the client hangs up. Refuses a credential that
 * ends meanwhile (401), and a key's sixth call that waits (429).
 */
export const changesFor = async (
  service: Service,
  caller: Caller,
  { since, limit, wait }: ChangesAsked,
  request: Request,
): Promise<Changes> => {
  const { store, clock, news } = service;
  const asked = { accountId: caller.account.id, restriction: caller.restriction, limit };
  const read = (from: Instant | null) =>
    readChanges(store, { ...asked, since: from }, clock.wall());
  let found = await read(since);
  if (since === null || wait === 0) return found;
  const isOver = AbortSignal.any([request.signal, AbortSignal.timeout(wait)]);
  while (found.changes.length === 0 && !found.hasMore && !isOver.aborted) {
    const call = { accountId: asked.accountId, caller, since: found.until };
    await news.wait(call, LOOKS_AGAIN, isOver);
    const now = clock.wall();
    checkAccess(await identifyAgain(store, request, now), READ, now);
    found = await read(found.until);
  }
  return found;
};

/** Returns a change as replies show it, as JSON text. */
export const shownChange = ({
  type,
  id,
  state,
  isNew,
  by,
  byKey,
  at,
  row,
}: ChangedRecord): string => {
  const shown = { type, id, state, new: isNew, by, by_key: byKey, at: formatInstant(at) };
  return `${JSON.stringify(shown).slice(0, -1)},"task":${row ?? "null"}}`;
};
