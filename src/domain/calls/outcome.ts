/**
 * The outcome of a key's call: done (2xx), refused (4xx) or failed (5xx). `deletes` are refused
 * calls that would have deleted or replaced something: DELETE and PUT, which no route allows.
 */
export const OUTCOMES = ["done", "refused", "deletes", "failed"] as const;

export type Outcome = (typeof OUTCOMES)[number];

export const isOutcome = (text: string): text is Outcome =>
  (OUTCOMES as readonly string[]).includes(text);

/** Whether a call is one of the refused deletes. */
export const isRefusedDelete = ({
  method,
  status,
}: {
  readonly method: string;
  readonly status: number;
}): boolean => status === 405 && (method === "DELETE" || method === "PUT");
