import { type Claimed, claimTask, noClaim, releaseClaim, renewClaim } from "../db/records/claim.ts";
import { liveClaims } from "../db/records/claims.ts";
import { readRecord, wholeTask } from "../db/records/lookup.ts";
import { inWords, WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { invalid, Refusal } from "../domain/base/refusal.ts";
import { type Caller, mayRead } from "../domain/people/account.ts";
import { checkRestriction, reaches } from "../domain/people/api-key.ts";
import { type Claim, parseLength, shownClaim } from "../domain/tasks/claim.ts";
import { json, type Reply, type TextReply } from "../server/call.ts";
import { checkAccess, READ } from "../server/checks/admission.ts";
import { filterFor } from "../server/tasks/filter.ts";
import { withRev } from "../domain/base/rev.ts";
import { markFor } from "./edits.ts";
import { type ApiContext, callerOf, checkedId, type Write } from "./route.ts";
import type { ClaimBody, ReleaseBody, RenewBody } from "./schemas.ts";

/** `GET /claims`: who works on what, of the tasks that the caller can reach. */
export const getClaims = async (context: ApiContext): Promise<Reply> => {
  const caller = callerOf(context);
  const { store, now } = context;
  const claims = await liveClaims(store.reader, caller.account.id, now);
  const shown: Claim[] = [];
  for (const claim of claims) {
    const task = await readRecord(store, caller.account.id, "sync_tasks", claim.taskId);
    if (task && task.open === 1 && reaches(caller.restriction, task.folderId)) shown.push(claim);
  }
  return json({ claims: shown.toSorted((a, b) => a.until - b.until).map(shownClaim) });
};

/** `POST /claims`: takes a task to work on, by its id, or the first free one of a list. */
export const postClaim = async (
  context: ApiContext<unknown, ClaimBody>,
): Promise<Write<Claimed | null>> => {
  const caller = callerOf(context);
  const { task, filter, for: length } = context.body;
  if ((task === undefined) === (filter === undefined))
    throw invalid("Send either task, with an id, or filter.");
  const wish = { of: task ?? (await listOf(context, caller)), length: parseLength(length) };
  return (tx) => claimTask(tx, wish, caller);
};

/** A key that cannot read must not ask in this way which tasks there are. */
const listOf = async (context: ApiContext<unknown, ClaimBody>, caller: Caller) => {
  const { store, now, body } = context;
  checkAccess(caller, READ, now);
  checkRestriction(caller.restriction, "write to a task");
  try {
    return await filterFor(store, caller, body.filter ?? {}, now);
  } catch (thrown) {
    if (thrown instanceof Refusal)
      throw new Refusal(thrown.reason, inWords(thrown.sentence, IN_BODY));
    throw thrown;
  }
};

/** The filter of a list is sent in the query, and this one in the body. */
const IN_BODY: Words = (term) =>
  "parameter" in term ? `filter.${term.parameter}` : WIRE_WORDS(term);

/** `POST /claims/{id}/renew`: makes a claim last longer. */
export const postRenew = (context: ApiContext<unknown, RenewBody>): Write<Claim> => {
  const caller = callerOf(context);
  const { for: length } = context.body;
  const lasts = length === undefined ? null : parseLength(length);
  const id = checkedId(context.pathId, noClaim);
  return (tx) => renewClaim(tx, id, lasts, caller);
};

/** `POST /claims/{id}/release`: ends a claim. */
export const postRelease = (context: ApiContext<unknown, ReleaseBody>): Write<Claim | null> => {
  const caller = callerOf(context);
  const id = checkedId(context.pathId, noClaim);
  return (tx) => releaseClaim(tx, id, caller);
};

/** Returns the claim and its task, with its tabs and notes. To a caller without `read`: the task's id. */
export const showClaimed = async (
  claimed: Claimed | null,
  context: ApiContext<unknown, ClaimBody>,
): Promise<TextReply> => {
  if (claimed === null) return { ...json({ claim: null, task: null }), status: 200 };
  const { claim, task } = claimed;
  const whole = mayRead(callerOf(context))
    ? withRev(wholeTask(task), task.changedAt, await markFor(context))
    : JSON.stringify({ id: task.id });
  return { body: `{"claim":${JSON.stringify(shownClaim(claim))},"task":${whole}}` };
};

/** Returns the claim as it is now; null if it is over. */
export const showRenewed = (claim: Claim): TextReply => json({ claim: shownClaim(claim) });

/** Returns the claim that was ended; null if it was over already. */
export const showReleased = (claim: Claim | null): TextReply =>
  json({ released: claim && shownClaim(claim) });
