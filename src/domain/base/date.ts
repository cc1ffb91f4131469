/** Months of 31, of 30 and of 28 days, and 29 February in leap years. */
const DATE =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/** The pattern of a date, for schemas. They cannot check that the date exists. */
export const DATE_PATTERN = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

/** Whether a value is a date that exists, such as `2026-01-31`. */
export const isDate = (value: unknown): value is string =>
  typeof value === "string" && DATE.test(value);
