import { type Instant, parseMoment } from "../../domain/base/instant.ts";
import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";

/**
 * Reads `since`, an RFC 3339 time, or a date, which is its start in UTC. Null if it is absent. A `+` that was not percent-encoded arrives as a space; a
 * space can mean nothing else here.
 */
export const parseSince = (text: string | undefined): Instant | null => {
  if (text === undefined) return null;
  const instant = parseMoment(text.replace(" ", "+"));
  if (instant !== null) return instant;
  throw invalid(
    say`${{ parameter: "since" }} must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.`,
  );
};

/**
 * Reads `limit`, which the schema has checked to be digits. Refuses a number above `most` (422). The schema cannot
 * check the bound: Elysia's number checks stop working when a bundler renames classes.
 */
export const parseLimit = (text: string | undefined, most: number): number | null => {
  if (text === undefined) return null;
  const limit = Number(text);
  if (limit >= 1 && limit <= most) return limit;
  throw invalid(say`${{ parameter: "limit" }} must be a whole number from 1 to ${most}.`);
};

/** Reads `wait`, a number of seconds, in the same way. 0 if it is absent. */
export const parseWait = (text: string | undefined, most: number): number => {
  const seconds = Number(text ?? 0);
  if (seconds <= most) return seconds;
  throw invalid(say`${{ parameter: "wait" }} must be a whole number from 0 to ${most}.`);
};
