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
 * An expected "no". `message` is one sentence for whoever called: what is wrong, where, what to do.
 * It never holds internals. `headers` are what the refusal needs to be acted on (`Allow`, ...).
 */
export class Refusal extends Error {
  readonly reason: Reason;
  readonly headers: Readonly<Record<string, string>>;
  /** The error's code, where a standard that the caller speaks has one. */
  readonly code: string | undefined;

  constructor(
    reason: Reason,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    code?: string,
  ) {
    super(message);
    this.name = "Refusal";
    this.reason = reason;
    this.headers = headers;
    this.code = code;
  }
}

export const invalid = (message: string): Refusal => new Refusal("invalid", message);
export const notFound = (what: string): Refusal =>
  new Refusal("not_found", `No such ${what}: it does not exist, or it was deleted.`);
