import { formatInstant, isDate } from "../domain/base/instant.ts";

const FIRST = Date.UTC(1990, 0, 1);
const LAST = Date.UTC(2100, 0, 1);

/** ms from 1601, where WebKit's clock begins, to 1970. */
const FROM_1601 = 11_644_473_600_000;

/**
 * Reads a date of another tool: a number, or its digits, of seconds, ms or µs by its size, µs since 1601 if it is larger;
 * or an ISO 8601 text, in UTC if it names no zone. Returns an RFC 3339 time; null for none, and outside of 1990 to 2099.
 */
export const readDate = (value: unknown): string | null => {
  const ms = instantOf(value);
  return ms >= FIRST && ms < LAST ? formatInstant(Math.trunc(ms)) : null;
};

const instantOf = (value: unknown): number => {
  if (typeof value === "number") return msOf(value);
  if (typeof value !== "string") return Number.NaN;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return msOf(Number(text));
  const [, day, time = "00:00", zone = "Z"] = ISO.exec(text) ?? [];
  if (day === undefined || !isDate(day)) return Number.NaN;
  const colon = zone.replace(
    /^([+-]\d\d):?(\d\d)?$/,
    (_, hours, minutes = "00") => `${hours}:${minutes}`,
  );
  return Date.parse(`${day}T${time}${colon.toUpperCase()}`);
};

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

const msOf = (number: number): number => {
  if (number < 1e11) return number * 1_000;
  if (number < 1e14) return number;
  return number < 1e16 ? number / 1_000 : number / 1_000 - FROM_1601;
};

/** The day on which something is due, and what a date says beside that. */
export type Due = { readonly due: string | null; readonly isAll: boolean };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const NAME =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAYS = {
  iso: /^(\d{4})-(\d\d)-(\d\d)/,
  monthFirst: new RegExp(String.raw`^${NAME}\.? (\d{1,2}),? (\d{4})`, "i"),
  dayFirst: new RegExp(String.raw`^(\d{1,2})\.? ${NAME}\.?,? (\d{4})`, "i"),
};
const TIME =
  /^[T ,]*(?:at )?(?:\d{1,2}(?::\d\d){1,2}(?:\.\d+)?\s*(?:[ap]m|Z|[+-]\d\d:?\d\d)?|\d{1,2}\s*[ap]m)$/i;

/**
 * Reads the day of a date: `2026-01-31`, `Jan 31 2026`, `January 31, 2026`, `31 Jan 2026`, with or without a time. `isAll`:
 * the text says no more than that day.
 */
export const readDue = (text: string): Due => {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  const [whole, day] = dayAt(plain);
  if (day === null) return { due: null, isAll: false };
  const rest = plain.slice(whole.length).trim();
  return rest === "" || TIME.test(rest)
    ? { due: day, isAll: rest === "" }
    : { due: null, isAll: false };
};

const dayAt = (text: string): readonly [whole: string, day: string | null] => {
  const iso = DAYS.iso.exec(text);
  if (iso) return [iso[0], valid(iso[0])];
  const monthFirst = DAYS.monthFirst.exec(text);
  if (monthFirst) {
    const [whole, month = "", day = "", year = ""] = monthFirst;
    return [whole, valid(`${year}-${monthOf(month)}-${day.padStart(2, "0")}`)];
  }
  const [whole = "", day = "", month = "", year = ""] = DAYS.dayFirst.exec(text) ?? [];
  return [whole, valid(`${year}-${monthOf(month)}-${day.padStart(2, "0")}`)];
};

const monthOf = (name: string): string =>
  `${MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1}`.padStart(2, "0");

const valid = (day: string): string | null => (isDate(day) ? day : null);
