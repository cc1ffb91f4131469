import { inWords, type Message, say, WIRE_WORDS } from "./message.ts";

/**
 * Why something was refused. REST, MCP and the pages each turn a reason into their own form, such
 * as an HTTP status.
 */
export type Reason =
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "still_running"
  | "already_there"
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
 * An expected "no". `sentence` tells the caller what is wrong, where, and what to do. It never contains
 * internals. Each entry point may put it in its own words; `message` has those of the REST API. `headers` are those
 * that the caller needs in order to act on it, such as `Allow`.
 */
export class Refusal extends Error {
  readonly reason: Reason;
  readonly sentence: Message;
  readonly headers: Readonly<Record<string, string>>;
  /** The error code, if a standard that the caller follows defines one. */
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
/** A refusal for an id that names no task within reach. It may be a title, so it says where ids come from. */
export const taskNotFound = (): Refusal =>
  new Refusal(
    "not_found",
    say`Task not found. It may have been deleted. Ids come from ${{ call: "listTasks" }}.`,
  );
/** A refusal for a record that is missing or deleted. `what` is the noun for it, such as "task". */
export const notFound = (what: string): Refusal =>
  new Refusal(
    "not_found",
    `${what.charAt(0).toUpperCase()}${what.slice(1)} not found. It may have been deleted.`,
  );
