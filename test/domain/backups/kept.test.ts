import { expect, test } from "bun:test";
import { bytesOf, type Copy, keptOf } from "../../../src/domain/backups/kept.ts";
import { DAY } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";

const MB = 1024 * 1024;

const daily = (at: number, bytes = MB): Copy => ({
  name: new Date(at).toISOString().slice(0, 10),
  kind: "daily",
  at,
  bytes,
});

/** What is left after a copy a day, each time with the room that `budgetOn` gives it. */
const afterDays = (
  days: number,
  budgetOn: (day: number) => number = () => Number.POSITIVE_INFINITY,
  bytesOn: (day: number) => number = () => MB,
) => {
  let kept: readonly Copy[] = [];
  for (let day = 0; day < days; day += 1)
    kept = keptOf([...kept, daily(NOON + day * DAY, bytesOn(day))], budgetOn(day));
  return kept;
};

test("After a year of copies, seven days, four weeks and twelve months have one", () => {
  // From 2026-03-04, a Wednesday, to 2027-04-12, a Monday.
  expect(afterDays(405).map(({ name }) => name)).toEqual([
    "2027-04-12",
    "2027-04-11",
    "2027-04-10",
    "2027-04-09",
    "2027-04-08",
    "2027-04-07",
    "2027-04-06",
    "2027-04-04",
    "2027-03-31",
    "2027-03-28",
    "2027-02-28",
    "2027-01-31",
    "2026-12-31",
    "2026-11-30",
    "2026-10-31",
    "2026-09-30",
    "2026-08-31",
    "2026-07-31",
    "2026-06-30",
    "2026-05-31",
  ]);
});

test("A server that is off for a year loses none of its copies by that", () => {
  const before = afterDays(30);
  const after = keptOf([...before, daily(NOON + 400 * DAY)], Number.POSITIVE_INFINITY);
  expect(after.map(({ name }) => name).slice(1, 7)).toEqual(
    before.map(({ name }) => name).slice(0, 6),
  );
});

test("On a disk that fills up, the oldest copies go first, and the newest stays", () => {
  const kept = afterDays(
    365,
    (day) => (365 - day) * MB,
    () => 3 * MB,
  );
  expect(kept.map(({ name }) => name)).toEqual(["2027-03-03"]);
  const halfway = afterDays(360, (day) => (365 - day) * MB);
  expect(halfway.map(({ name }) => name)).toEqual([
    "2027-02-26",
    "2027-02-25",
    "2027-02-24",
    "2027-02-23",
    "2027-02-22",
    "2027-02-21",
  ]);
  expect(bytesOf(halfway)).toBe(6 * MB);
});

test("Copies before migrations and restores are kept by the same rule, and the newest of each always", () => {
  const others: readonly Copy[] = [
    { name: "m1", kind: "before-migration", at: NOON - 900 * DAY, bytes: MB },
    { name: "m2", kind: "before-migration", at: NOON - 899 * DAY, bytes: MB },
    { name: "r1", kind: "before-restore", at: NOON - 899 * DAY - 2, bytes: MB },
    { name: "r2", kind: "before-restore", at: NOON - 899 * DAY - 1, bytes: MB },
  ];
  const names = (budget: number) =>
    keptOf([...others, daily(NOON)], budget).map(({ name }) => name);
  expect(names(Number.POSITIVE_INFINITY)).toEqual(["2026-03-04", "m2", "r2", "m1"]);
  expect(names(0)).toEqual(["2026-03-04", "m2", "r2"]);
});
