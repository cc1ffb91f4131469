import { type Reason, Refusal } from "../refusal.ts";
import { invalidInput } from "./validation.ts";

const STATUS: Readonly<Record<Reason, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  changed_meanwhile: 412,
  too_large: 413,
  unsupported_type: 415,
  wrong_host: 421,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
  disk_full: 507,
};

export const statusOf = (refusal: Refusal | null): number =>
  refusal ? STATUS[refusal.reason] : 500;

/** The only place that writes an error: exactly `{"error": "<one sentence>"}`. */
export const errorBody = (refusal: Refusal | null): string =>
  JSON.stringify({ error: refusal ? refusal.message : "Internal error." });

/** What was thrown, as the refusal that it means; null for a bug. */
export const refusalOf = (thrown: unknown): Refusal | null => {
  if (thrown instanceof Refusal) return thrown;
  return invalidInput(thrown);
};
