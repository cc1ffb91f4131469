import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatInstant, HOUR, MINUTE, parseInstant } from "../../../src/domain/base/instant.ts";
import { cases } from "../../support/random.ts";

test.each([
  ["with milliseconds", "2026-01-31T09:30:00.000Z", "2026-01-31T09:30:00.000Z"],
  ["without a fraction", "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
  ["in lower case", "2026-01-31t09:30:00z", "2026-01-31T09:30:00.000Z"],
  ["with a positive offset", "2026-01-31T09:30:00+02:00", "2026-01-31T07:30:00.000Z"],
  ["with a negative offset", "2026-01-31T23:30:00-09:30", "2026-02-01T09:00:00.000Z"],
  ["with the largest offset", "2026-01-31T00:00:00+23:59", "2026-01-30T00:01:00.000Z"],
  ["with an offset unknown", "2026-01-31T09:30:00-00:00", "2026-01-31T09:30:00.000Z"],
  ["on a leap day", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ["on the leap day of a 400th year", "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
  ["the last second of a day", "2026-12-31T23:59:59.999Z", "2026-12-31T23:59:59.999Z"],
  ["before 1970", "1969-12-31T23:59:59.500Z", "1969-12-31T23:59:59.500Z"],
  ["the first instant", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ["the first instant, by an offset", "0000-01-01T01:00:00+01:00", "0000-01-01T00:00:00.000Z"],
  ["the last instant", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ["the last instant, with more digits", "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999Z"],
  ["the last instant, by an offset", "9999-12-31T22:59:59-01:00", "9999-12-31T23:59:59.000Z"],
])("The time %s is accepted", (_name, text, canonical) => {
  const instant = parseInstant(text);
  expect(instant).toBe(Date.parse(canonical));
  expect(formatInstant(instant ?? Number.NaN)).toBe(canonical);
});

test.each([
  ["1 digit", ".1", 100],
  ["2 digits", ".12", 120],
  ["3 digits", ".123", 123],
  ["4 digits", ".1239", 123],
  ["5 digits", ".12399", 123],
  ["6 digits", ".123999", 123],
  ["7 digits", ".1239999", 123],
  ["8 digits", ".12399999", 123],
  ["9 digits", ".123999999", 123],
  ["10 digits", ".1239999999", 123],
  ["11 digits", ".12399999999", 123],
  ["12 digits", ".123999999999", 123],
  ["only nines", ".999999999999", 999],
  ["less than a millisecond", ".0009", 0],
])("A fraction of %s is rounded down to whole milliseconds", (_name, fraction, ms) => {
  for (const second of ["2026-01-31T09:30:00", "1969-12-31T23:59:59"])
    expect(parseInstant(`${second}${fraction}Z`)).toBe(Date.parse(`${second}Z`) + ms);
});

test.each([
  ["30 February", "2026-02-30T00:00:00Z"],
  ["29 February of a common year", "2026-02-29T00:00:00Z"],
  ["29 February of 1900", "1900-02-29T00:00:00Z"],
  ["31 April", "2026-04-31T00:00:00Z"],
  ["day 0", "2026-01-00T00:00:00Z"],
  ["day 32", "2026-01-32T00:00:00Z"],
  ["month 0", "2026-00-01T00:00:00Z"],
  ["month 13", "2026-13-01T00:00:00Z"],
  ["24:00", "2026-01-31T24:00:00Z"],
  ["minute 60", "2026-01-31T09:60:00Z"],
  ["second 60", "2016-12-31T23:59:60Z"],
  ["offset hour 24", "2026-01-31T09:30:00+24:00"],
  ["offset minute 60", "2026-01-31T09:30:00+02:60"],
  ["offset without colon", "2026-01-31T09:30:00+0200"],
  ["an offset of hours only", "2026-01-31T09:30:00+02"],
  ["no offset", "2026-01-31T09:30:00"],
  ["a date without a time", "2026-01-31"],
  ["no seconds", "2026-01-31T09:30Z"],
  ["a space instead of the T", "2026-01-31 09:30:00Z"],
  ["a comma before the fraction", "2026-01-31T09:30:00,5Z"],
  ["a fraction without digits", "2026-01-31T09:30:00.Z"],
  ["a one-digit hour", "2026-01-31T9:30:00Z"],
  ["a year of six digits", "+020000-01-01T00:00:00Z"],
  ["a year before year 0", "-000001-01-01T00:00:00Z"],
  ["a year of two digits", "26-01-31T09:30:00Z"],
  ["before the first instant, by an offset", "0000-01-01T00:59:59+01:00"],
  ["after the last instant, by an offset", "9999-12-31T23:00:00-01:00"],
  ["the format of e-mail", "Sat, 31 Jan 2026 09:30:00 GMT"],
  ["milliseconds since 1970", "1769851800000"],
  ["surrounding space", " 2026-01-31T09:30:00Z"],
  ["a line end after it", "2026-01-31T09:30:00Z\n"],
  ["Arabic-Indic digits", "٢٠٢٦-01-31T09:30:00Z"],
  ["nothing", ""],
])("%s is not a time", (_name, text) => {
  expect(parseInstant(text)).toBeNull();
});

const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const anyInstant = fc.integer({ min: FIRST, max: LAST });

test("Every instant that is written is read back as the same instant", () => {
  fc.assert(
    fc.property(anyInstant, (instant) => parseInstant(formatInstant(instant)) === instant),
    cases(20_000),
  );
});

const two = (number: number): string => String(number).padStart(2, "0");

test("An instant is the same in any offset and with any extra digits", () => {
  const offset = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
  const finer = fc.stringMatching(/^\d{0,9}$/);
  fc.assert(
    fc.property(anyInstant, offset, finer, (instant, minutes, digits) => {
      const local = instant + minutes * MINUTE;
      fc.pre(local >= FIRST && local <= LAST);
      const size = Math.abs(minutes) * MINUTE;
      const zone = `${two(Math.floor(size / HOUR))}:${two((size % HOUR) / MINUTE)}`;
      const text = `${formatInstant(local).slice(0, -1)}${digits}${minutes < 0 ? "-" : "+"}${zone}`;
      return parseInstant(text) === instant;
    }),
    cases(20_000),
  );
});

test("Text is never read as a later moment than the one it names", () => {
  fc.assert(
    fc.property(anyInstant, fc.stringMatching(/^\d{1,12}$/), (instant, digits) => {
      const second = Math.floor(instant / 1_000) * 1_000;
      const read = parseInstant(`${formatInstant(second).slice(0, 19)}.${digits}Z`) ?? Number.NaN;
      // Compares whole numbers: milliseconds with as many extra digits as the text had.
      const exact = BigInt(digits.padEnd(12, "0"));
      const cut = BigInt(read - second) * 10n ** 9n;
      return cut <= exact && exact - cut < 10n ** 9n;
    }),
    cases(5_000),
  );
});
