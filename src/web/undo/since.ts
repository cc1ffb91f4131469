import {
  DAY,
  HOUR,
  type Instant,
  isInstant,
  MINUTE,
  parseInstant,
} from "../../domain/base/instant.ts";
import type { Form } from "../shared/form.ts";

/** Since when a key's changes are undone, by keyword. */
export const CHOICES = [
  ["1h", "in the last hour"],
  ["today", "today"],
  ["24h", "in the last 24 hours"],
  ["7d", "in the last 7 days"],
  ["90d", "in the last 90 days"],
] as const;

const LENGTHS: ReadonlyMap<string, number> = new Map([
  ["1h", HOUR],
  ["24h", DAY],
  ["7d", 7 * DAY],
  ["90d", 90 * DAY],
]);

/** What the form contains: a choice (or a full time), and a typed date and time, which takes precedence. */
export type Typed = {
  readonly choice: string;
  readonly at: string;
  /** Minutes from the person's own time to UTC; 0 if no script could tell. */
  readonly zone: number;
  /** The ids of other keys whose changes are undone together with this one's. */
  readonly others: readonly string[];
};

/** The keys that were ticked: a field `with.ID` each. */
export const othersIn = (form: Form): readonly string[] =>
  [...form.keys()].flatMap((name) => (name.startsWith("with.") ? [name.slice(5)] : []));

export const typedSince = (query: Form): Typed => {
  const zone = Number(query.get("zone") ?? 0);
  return {
    choice: query.get("since") ?? "",
    at: query.get("at") ?? "",
    zone: Number.isInteger(zone) && Math.abs(zone) <= 14 * 60 ? zone : 0,
    others: othersIn(query),
  };
};

/** The moment that is meant; null if what was typed is not one. */
export const readSince = ({ choice, at, zone }: Typed, now: Instant): Instant | null => {
  const shift = zone * MINUTE;
  if (at !== "") {
    const local = parseInstant(withSeconds(at));
    return local !== null && isInstant(local + shift) ? local + shift : null;
  }
  if (choice === "today") return Math.floor((now - shift) / DAY) * DAY + shift;
  const length = LENGTHS.get(choice);
  return length === undefined ? parseInstant(choice) : now - length;
};

/**
 * Accepts a date and time as browsers send it, `2026-03-04T12:00`, or as people type it where the browser
 * does not help.
 */
const withSeconds = (text: string): string => {
  const time = text.trim().replace(" ", "T");
  return `${/T\d\d:\d\d$/.test(time) ? `${time}:00` : time}Z`;
};
