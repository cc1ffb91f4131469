import type { Reason, Refusal } from "../domain/base/refusal.ts";

const STATUS: Readonly<Record<Reason, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  still_running: 409,
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

/** What a caller is told; of a bug only that it is one. */
export const messageOf = (refusal: Refusal | null): string =>
  refusal ? refusal.message : "Internal error.";

/**
 * The only place that writes an error for programs: exactly `{"error": "<one sentence>"}`, or, where a
 * standard has codes of its own (OAuth: RFC 6749, 5.2), the code and the sentence beside it.
 */
export const errorBody = (refusal: Refusal | null): string =>
  JSON.stringify(
    refusal?.code === undefined
      ? { error: messageOf(refusal) }
      : { error: refusal.code, error_description: refusal.message },
  );
