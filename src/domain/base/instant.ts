/** A moment in whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** The clocks that the server is given. Only `wall` can go back. */
export type Clock = {
  readonly wall: () => Instant;
  /** Milliseconds from an arbitrary start. Never goes back. */
  readonly steady: () => number;
};

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Converts ms to seconds, rounded up, so that a client that waits this long has waited long enough. */
export const wholeSeconds = (ms: number): number => Math.ceil(ms / SECOND);

const RFC3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const FIRST_INSTANT = Date.parse("0000-01-01T00:00:00.000Z");

/**
 * Parses strict RFC 3339 text with any offset, with or without a fraction. A fraction is rounded
 * down to whole milliseconds, so that parsing never moves a cursor forward. Returns null for
 * anything else, and for dates that do not exist (30 February), which `Date` would turn into
 * another day.
 */
export const parseInstant = (text: string): Instant | null => {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [, date, time, fraction, sign, hours, minutes] = match;
  const seconds = Date.parse(`${date}T${time}Z`);
  if (new Date(seconds).getUTCDate() !== Number(date?.slice(-2))) return null;
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return null;
  const offset =
    (Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE) * (sign === "-" ? -1 : 1);
  const instant = seconds + Number((fraction ?? ".").slice(1, 4).padEnd(3, "0")) - offset;
  return inRange(instant) ? instant : null;
};

/** Parses the same, or a date alone, which is its start in UTC. */
export const parseMoment = (text: string): Instant | null =>
  parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);

/** Whether a value is a whole number of milliseconds in the years 0 to 9999. */
export const isInstant = (value: unknown): value is Instant =>
  Number.isInteger(value) && inRange(value as number);

const inRange = (instant: number): boolean => instant >= FIRST_INSTANT && instant <= LAST_INSTANT;

/** The only form in which Docket writes times: `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export const formatInstant = (instant: Instant): string => new Date(instant).toISOString();

/** Months of 31, of 30 and of 28 days, and 29 February in leap years. */
const DATE =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/** The pattern of a date, for schemas. They cannot check that the date exists. */
export const DATE_PATTERN = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

/** Whether a value is a date that exists, such as `2026-01-31`. */
export const isDate = (value: unknown): value is string =>
  typeof value === "string" && DATE.test(value);
