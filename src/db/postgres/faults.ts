import { Refusal } from "../../domain/base/refusal.ts";
import { postgresCode } from "./driver.ts";

/** Connections that broke, the server's resources, its own shutdown, and what the system says of a socket. */
const FAULT = /^(08|53|57|58|25006)|^E[A-Z]+$/;

/** Whether the database failed, or cannot be reached, rather than the program. */
const isFault = (error: unknown): boolean =>
  !(error instanceof Refusal) &&
  (FAULT.test(postgresCode(error)) ||
  (error instanceof Error && /timeout|terminated|Connection/i.test(error.message)));

const LATER = { "retry-after": "5" };

const refusal = (sentence: string, cause: unknown): Refusal => {
  const made = new Refusal("unavailable", sentence, LATER);
  made.cause = cause;
  return made;
};

/** Turns a failed write into a refusal that says so. Returns any other error unchanged. */
export const writeRefusal = (error: unknown): unknown =>
  isFault(error)
    ? refusal("The server cannot write to its database right now. Try again later.", error)
    : error;

/** Turns a failed read into a refusal that says so. Returns null for any other error. */
export const readRefusal = (error: unknown): Refusal | null =>
  isFault(error)
    ? refusal("The server cannot read its database right now. Try again later.", error)
    : null;

/** Returns a log line that tells the server's owner what to do, or null for any other error. */
export const faultLine = (error: unknown): string | null =>
  isFault(error)
    ? "the database failed or could not be reached: check that PostgreSQL runs and its log"
    : null;
