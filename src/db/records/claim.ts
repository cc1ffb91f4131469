import type { Editor } from "../../domain/people/account.ts";
import { checkRestriction } from "../../domain/people/api-key.ts";
import { invalid, notFound, Refusal } from "../../domain/base/refusal.ts";
import { type Claim, MAX_CLAIMS, takenUntil } from "../../domain/tasks/claim.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import type { Transaction } from "../transaction.ts";
import { reachedTask } from "./edits.ts";
import { showing } from "./folders.ts";
import type { TaskFilter } from "./lists/task-filter.ts";
import { newId } from "./write.ts";

/** What a key wants to work on: a task by its id, or the first free one of a list; and for how long, in ms. */
export type Wish = { readonly of: TaskFilter | string; readonly length: number };

/** A claim that was made, and its task. `id` is that of the task, for the activity list. */
export type Claimed = { readonly id: string; readonly claim: Claim; readonly task: RecordRow };

/**
 * Claims a task for a key. Null if no task of the list is free. Refuses one that is not there (404), closed (422) or taken,
 * by whichever key (409), and a key that holds as many as it may (409).
 */
export const claimTask = async (
  tx: Transaction,
  { of, length }: Wish,
  editor: Editor,
): Promise<Claimed | null> => {
  checkClaimant(editor);
  checkRestriction(editor.restriction, "write to a task");
  const all = await tx.claims.all();
  const taken = all.map(({ taskId }) => taskId);
  const id = typeof of === "string" ? of : await firstFree(tx, of, taken, editor);
  if (id === null) return null;
  const task = await reachedTask(tx, id, editor);
  if (task.open !== 1) throw invalid("This task is not open, so there is nothing to work on.");
  const there = all.find(({ taskId }) => taskId === id);
  if (there) throw takenUntil(there, editor);
  const keyId = editor.id ?? "";
  if (all.filter((claim) => claim.keyId === keyId).length >= MAX_CLAIMS)
    throw new Refusal(
      "already_there",
      `This key works on ${MAX_CLAIMS} tasks already. Close or release one of them first.`,
    );
  const until = tx.now + length;
  const claim = { id: newId(tx.now), taskId: id, keyId, by: editor.name, until, length };
  await tx.claims.put(claim);
  return { id, claim, task: await showing(tx, task, editor) };
};

/** People and devices never wait for a claim, so they have none (403). */
const checkClaimant = ({ kind }: Pick<Editor, "kind">): void => {
  if (kind === "api_key") return;
  throw new Refusal(
    "forbidden",
    "Claims are for API keys. People and their devices never wait for one, and can end any.",
  );
};

/** The inbox is no work that can be done once and for all. */
const firstFree = async (
  tx: Transaction,
  filter: TaskFilter,
  taken: readonly string[],
  { restriction }: Editor,
): Promise<string | null> => {
  const inbox = await tx.inbox.find();
  const ids = inbox === null ? taken : [...taken, inbox];
  return tx.claims.first({ filter: { ...filter, claimed: { is: false, ids } }, restriction });
};

/** Makes a key's claim last longer: `length` ms from now, or as long as it was asked for. Refuses one that is over (404). */
export const renewClaim = async (
  tx: Transaction,
  id: string,
  length: number | null,
  editor: Editor,
): Promise<Claim> => {
  checkClaimant(editor);
  checkRestriction(editor.restriction, "write to a task");
  const claim = await named(tx, id);
  if (claim === null || claim.keyId !== editor.id) throw noClaim();
  const lasts = length ?? claim.length;
  const renewed = { ...claim, length: lasts, until: tx.now + lasts };
  await tx.claims.put(renewed);
  return renewed;
};

/** Ends a claim: a key its own, a person any. One that is over already stays so. Refuses a key that of another (404). */
export const releaseClaim = async (
  tx: Transaction,
  id: string,
  editor: Pick<Editor, "id" | "kind" | "restriction">,
): Promise<Claim | null> => {
  checkRestriction(editor.restriction, "write to a task");
  const claim = await named(tx, id);
  if (claim === null) return null;
  if (editor.kind === "api_key" && claim.keyId !== editor.id) throw noClaim();
  await tx.claims.end([claim.taskId]);
  return claim;
};

/** A claim is named by its id, or by that of its task. */
const named = async (tx: Transaction, id: string): Promise<Claim | null> =>
  (await tx.claims.find(id)) ?? tx.claims.of(id);

/** The refusal of a claim that is not there. */
export const noClaim = (): Refusal => notFound("claim");
