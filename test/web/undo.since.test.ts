import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { readSince, typedSince } from "../../src/web/undo/plan.tsx";
import { NOON } from "../support/server.ts";

/** The moment that an address of the page means at noon; `none` if it means none. */
const sinceOf = (query: string): string => {
  const since = readSince(typedSince(new Map(new URLSearchParams(query))), NOON);
  return since === null ? "none" : formatInstant(since);
};

test.each([
  ["since=1h", "2026-03-04T11:00:00.000Z"],
  ["since=24h", "2026-03-03T12:00:00.000Z"],
  ["since=7d", "2026-02-25T12:00:00.000Z"],
  ["since=90d", "2025-12-04T12:00:00.000Z"],
  ["since=today", "2026-03-04T00:00:00.000Z"],
  // Berlin is an hour ahead of UTC, so its midnight was an hour earlier.
  ["since=today&zone=-60", "2026-03-03T23:00:00.000Z"],
  // In Auckland it is already the next day, and in Honolulu it is two at night.
  ["since=today&zone=-780", "2026-03-04T11:00:00.000Z"],
  ["since=today&zone=600", "2026-03-04T10:00:00.000Z"],
  ["since=2026-03-04T09:30:00%2B01:00", "2026-03-04T08:30:00.000Z"],
  // What is typed takes precedence over what is chosen.
  ["since=1h&at=2026-03-01T09:30", "2026-03-01T09:30:00.000Z"],
  ["since=1h&at=2026-03-01T09:30:15&zone=-60", "2026-03-01T08:30:15.000Z"],
  ["at=+2026-03-01+09:30+", "2026-03-01T09:30:00.000Z"],
  ["at=2026-03-01T09:30&zone=90000", "2026-03-01T09:30:00.000Z"],
  ["at=2026-03-01T09:30&zone=x", "2026-03-01T09:30:00.000Z"],
  ["since=1h&at=yesterday", "none"],
  ["at=2026-02-30T09:30", "none"],
  ["at=9999-12-31T23:59&zone=60", "none"],
  ["since=for+ever", "none"],
  ["since=__proto__", "none"],
  ["", "none"],
])("%s is %s", (query, since) => {
  expect(sinceOf(query)).toBe(since);
});
