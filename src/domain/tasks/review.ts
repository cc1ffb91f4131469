import type { Editor } from "../people/account.ts";
import { Refusal } from "../base/refusal.ts";
import { isClosed, MAX_PROPOSED, PROPOSED } from "./task.ts";

/** Returns the status of a task that is about to be created: what a key for review creates is proposed. */
export const statusFor = (
  { review }: Editor,
  status: string | undefined,
): { readonly status?: string } => {
  if (review) return { status: PROPOSED };
  return status === undefined ? {} : { status };
};

/** Refuses another proposed task if `count` of the key wait already, and that is the most (409). */
export const checkWaiting = (count: number): void => {
  if (count < MAX_PROPOSED) return;
  throw new Refusal(
    "already_there",
    `${MAX_PROPOSED} tasks that this key proposed are waiting for a person. Wait until some are kept or dismissed.`,
  );
};

/** Refuses what a key for review may not do with a status (403): lift or make a proposal of a task that is there, or close it. */
export const checkReview = ({ review }: Editor, before: string, after: string): void => {
  if (!review || before === after) return;
  if (before === PROPOSED || after === PROPOSED)
    throw new Refusal(
      "forbidden",
      "This key is made for review: only a person decides what is proposed, and what is kept. Leave out status.",
    );
  if (isClosed(after))
    throw new Refusal(
      "forbidden",
      "This key is made for review, so it cannot close a task. Write a note that says what is done.",
    );
};
