import { faultLine, readRefusal } from "../db/sqlite/faults.ts";
import { inWords, WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { type Reason, Refusal } from "../domain/base/refusal.ts";
import type { Call } from "./call.ts";
import { schemaRefusal } from "./checks/schema.ts";
import type { TextReply } from "./reply.ts";
import type { Service } from "./service.ts";

/** A refusal or a bug, as its caller is told of it. */
export type Failure = {
  readonly status: number;
  /** One sentence; of a bug it says only that it is one. */
  readonly message: string;
  /** The error's code, where a standard that the caller speaks has one. */
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isBug: boolean;
};

/**
 * The one place that decides what something thrown is to whoever called: a refusal, or else a bug. The log is told
 * what failed, and the server's owner what to do where it is the storage.
 */
export const failureOf = ({ log }: Service, call: Call, thrown: unknown): Failure => {
  const refusal = refusalOf(thrown);
  if (!refusal || STATUS[refusal.reason] >= 500) {
    const cause = refusal?.cause ?? thrown;
    log.error(faultLine(cause) ?? "request failed", cause, { requestId: call.requestId });
  }
  return refusal ? refused(refusal, call.words) : BUG;
};

/** What was thrown, as the refusal that it means; null for a bug. */
const refusalOf = (thrown: unknown): Refusal | null =>
  thrown instanceof Refusal ? thrown : (schemaRefusal(thrown) ?? readRefusal(thrown));

/** A refusal, as its caller is told of it. */
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
 * The only place that writes an error for programs: exactly `{"error": "<one sentence>"}`, or, where a
 * standard has codes of its own (OAuth: RFC 6749, 5.2), the code and the sentence beside it.
 */
export const errorReply = ({ code, message, headers }: Failure): TextReply => ({
  body: JSON.stringify(
    code === undefined ? { error: message } : { error: code, error_description: message },
  ),
  headers,
});
