import { expect, test } from "bun:test";
import { DATE_PATTERN, isDate, parseInstant } from "../../../src/domain/base/instant.ts";

const two = (value: number): string => String(value).padStart(2, "0");

test("a date exists exactly where its midnight does", () => {
  for (const year of [
    "0000",
    "1899",
    "1900",
    "2000",
    "2024",
    "2025",
    "2026",
    "2100",
    "2400",
    "9999",
  ])
    for (let month = 0; month <= 13; month += 1)
      for (let day = 0; day <= 32; day += 1) {
        const date = `${year}-${two(month)}-${two(day)}`;
        expect([date, isDate(date)]).toEqual([date, parseInstant(`${date}T00:00:00Z`) !== null]);
      }
});

test.each([
  "",
  "2026",
  "2026-1-31",
  "26-01-31",
  "2026-01-31 ",
  "2026-01-31T00:00:00Z",
  "٢٠٢٦-٠١-٣١",
  5,
  null,
])("%p is no date", (value) => {
  expect(isDate(value)).toBe(false);
});

test("every date looks as the schemas say", () => {
  for (const date of ["2026-01-31", "0000-02-29", "9999-12-31"])
    expect(date).toMatch(new RegExp(DATE_PATTERN));
});
