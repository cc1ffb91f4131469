import { inWords, type Message, WIRE_WORDS } from "./message.ts";

/** Why something was refused. Each way in turns a reason into its own form (HTTP: a status). */
export type Reason =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "still_running"
  | "wrong_method"
  | "changed_meanwhile"
  | "too_large"
  | "unsupported_type"
  | "wrong_host"
  | "invalid"
  | "too_many"
  | "unavailable"
  | "disk_full";

/**
 * An expected "no". `sentence` tells whoever called what is wrong, where and what to do, and never holds internals.
 * Each way in may put it in its own words; `message` has those of the wire. `headers` are what the caller needs to act
 * on it (`Allow`, ...).
 */
export class Refusal extends Error {
  readonly reason: Reason;
  readonly sentence: Message;
  readonly headers: Readonly<Record<string, string>>;
  /** The error's code, where a standard that the caller speaks has one. */
  readonly code: string | undefined;

  constructor(
    reason: Reason,
    sentence: Message,
    headers: Readonly<Record<string, string>> = {},
    code?: string,
  ) {
    super(inWords(sentence, WIRE_WORDS));
    this.name = "Refusal";
    this.reason = reason;
    this.sentence = sentence;
    this.headers = headers;
    this.code = code;
  }
}

export const invalid = (sentence: Message): Refusal => new Refusal("invalid", sentence);
export const notFound = (what: string): Refusal =>
  new Refusal("not_found", `No such ${what}: it does not exist, or it was deleted.`);
