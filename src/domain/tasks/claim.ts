import type { Actor, Editor } from "../people/account.ts";
import { parseLifetime } from "../people/api-key.ts";
import { formatInstant, HOUR, type Instant, MINUTE } from "../base/instant.ts";
import { invalid, Refusal } from "../base/refusal.ts";

/** A task that a key works on, so that other keys leave it alone. People and devices never wait for it. */
export type Claim = {
  readonly id: string;
  readonly taskId: string;
  readonly keyId: string;
  /** The name of the key. */
  readonly by: string;
  readonly until: Instant;
  /** For how long it was asked, in ms. A write by its key makes it last that long again. */
  readonly length: number;
};

/** How many tasks a key may hold at once. */
export const MAX_CLAIMS = 20;

const [SHORTEST, LONGEST, USUAL] = [MINUTE, 24 * HOUR, 2 * HOUR];

/** Reads for how long a task is claimed, such as `2h`, in ms. Refuses less than a minute and more than a day (422). */
export const parseLength = (text: string | undefined): number => {
  const length = text === undefined ? USUAL : (parseLifetime(text) ?? 0);
  if (length >= SHORTEST && length <= LONGEST) return length;
  throw invalid("for must be a length of time from 1m to 24h, such as 2h.");
};

/**
 * Refuses a key's write to a task that another key has claimed (409), unless it says that it knows. What is written by
 * people and devices never waits.
 */
export const checkClaim = (claim: Claim | null, editor: Editor): void => {
  if (claim === null || editor.kind !== "api_key" || claim.keyId === editor.id) return;
  if (editor.overrides) return;
  throw new Refusal(
    "already_there",
    `${quoted(claim)} works on this task until ${formatInstant(claim.until)}. Leave it alone until then, or send override=true. Nothing was changed.`,
  );
};

/** The refusal of a claim on a task that is taken, by whichever key: two programs may share one. */
export const takenUntil = (claim: Claim, by: Pick<Actor, "id">): Refusal =>
  new Refusal(
    "already_there",
    `${claim.keyId === by.id ? "This key has claimed this task already" : `${quoted(claim)} works on this task`}, until ${formatInstant(claim.until)}. Take another one.`,
  );

const quoted = ({ by }: Claim): string => `The key "${by}"`;

/** A claim as replies show it. */
export const shownClaim = ({ id, taskId, by, until }: Claim) => ({
  id,
  task_id: taskId,
  by_key: by,
  until: formatInstant(until),
});

/** Adds who works on a task to its row, which is JSON text. */
export const withClaim = (row: string, claim: Claim | null): string =>
  claim === null
    ? `${row.slice(0, -1)},"claimed_by":null,"claimed_until":null}`
    : `${row.slice(0, -1)},"claimed_by":${JSON.stringify(claim.by)},"claimed_until":"${formatInstant(claim.until)}"}`;
