import { type Instant, parseInstant } from "../../domain/base/instant.ts";
import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";

/**
 * Reads `since`; null if absent. The `+` of an offset that was not percent-encoded arrives as a space, and is
 * accepted, since a space can mean nothing else here.
 */
export const parseSince = (text: string | undefined): Instant | null => {
  if (text === undefined) return null;
  const instant = parseInstant(text.replace(" ", "+"));
  if (instant !== null) return instant;
  throw invalid(
    say`${{ parameter: "since" }} must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.`,
  );
};

/**
 * Reads `limit`, whose digits the schema has checked. The bound is checked here and not by the schema: a
 * bundler that renames classes switches off the schema's number checks.
 */
export const parseLimit = (text: string | undefined, most: number): number | null => {
  if (text === undefined) return null;
  const limit = Number(text);
  if (limit >= 1 && limit <= most) return limit;
  throw invalid(say`${{ parameter: "limit" }} must be a whole number from 1 to ${most}.`);
};
