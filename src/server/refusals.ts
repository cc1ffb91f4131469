import { faultLine, readRefusal } from "../db/sqlite/faults.ts";
import { inWords, WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { type Reason, Refusal } from "../domain/base/refusal.ts";
import type { Call, TextReply } from "./call.ts";
import { queryRefusal } from "./checks/schema.ts";
import type { Service } from "./service.ts";

/** A refusal or a bug, in the form in which the caller sees it. */
export type Failure = {
  readonly status: number;
  /** One sentence. For a bug, it gives no details. */
  readonly message: string;
  /** The error's code, if the caller's protocol defines codes (OAuth). */
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isBug: boolean;
};

/**
 * Decides whether something thrown is a refusal or a bug; nothing else does. Logs bugs and failures of the server,
 * and tells its owner what to do if the storage fails.
 */
export const failureOf = ({ log }: Service, call: Call, thrown: unknown): Failure => {
  const refusal = refusalOf(thrown);
  if (!refusal || STATUS[refusal.reason] >= 500) {
    // Where a refusal was thrown helps nobody: strangers can cause thousands, and each stack would fill the log.
    const cause = refusal ? (refusal.cause ?? refusal.message) : thrown;
    log.error(faultLine(cause) ?? "request failed", cause, { requestId: call.requestId });
  }
  return refusal ? refused(refusal, call.words) : BUG;
};

/** Returns what was thrown as a refusal. Null for a bug. */
const refusalOf = (thrown: unknown): Refusal | null =>
  thrown instanceof Refusal ? thrown : (queryRefusal(thrown) ?? readRefusal(thrown));

/** Returns a refusal in the form in which its caller sees it: with its status, and in the caller's words. */
export const refused = (refusal: Refusal, words: Words = WIRE_WORDS): Failure => ({
  status: STATUS[refusal.reason],
  message: inWords(refusal.sentence, words),
  code: refusal.code,
  headers: refusal.headers,
  isBug: false,
});

export const BUG: Failure = {
  status: 500,
  message: "Internal error.",
  code: undefined,
  headers: {},
  isBug: true,
};

const STATUS: Readonly<Record<Reason, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  still_running: 409,
  already_there: 409,
  changed_meanwhile: 412,
  too_large: 413,
  unsupported_type: 415,
  wrong_host: 421,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
  disk_full: 507,
};

/**
 * Writes every error that programs get: exactly `{"error": "<one sentence>"}`. Where OAuth defines a code, `error` is
 * that code and `error_description` the sentence (RFC 6749, section 5.2).
 */
export const errorReply = ({ code, message, headers }: Failure): TextReply => ({
  body: JSON.stringify(
    code === undefined ? { error: message } : { error: code, error_description: message },
  ),
  headers,
});
