import { describe, expect, test } from "bun:test";
import { doerOf, type HistoryEvent, tell, whoIs } from "../../../src/domain/history/event.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../../../src/domain/base/instant.ts";
import { NOON } from "../../support/server.ts";

const NAMES = new Map([
  ["k", "helper"],
  ["s", "laptop"],
  ["p", "phone"],
]);

/** A change by the laptop to a version that the phone had written. */
const event = (fields: Partial<HistoryEvent>): HistoryEvent => ({
  at: NOON,
  loss: "edited",
  refused: false,
  updatedAt: formatInstant(NOON),
  writerKind: "session",
  writerId: "p",
  byKind: "session",
  byId: "s",
  ...fields,
});

const KEY = { byKind: "api_key", byId: "k" } as const;
const PERSON = { byKind: "person", byId: null } as const;
const clamped = (ahead: number) =>
  ({ loss: "clamped", refused: true, updatedAt: formatInstant(NOON + ahead) }) as const;

test.each<[string, Partial<HistoryEvent>]>([
  ["Edited on laptop", {}],
  ["Changed by the key helper", KEY],
  ["Created by the key helper", { ...KEY, loss: "made" }],
  ["Deleted on laptop", { loss: "deleted" }],
  ["Merged with an earlier edit made on laptop", { loss: "merged" }],
  ["Restored by you", { ...PERSON, loss: "restored" }],
  ["Undone by you", { ...PERSON, loss: "undone" }],
  [
    "Sent from phone, but not applied because it was older than the current version",
    { ...KEY, loss: "stale", refused: true },
  ],
  ["Sent from phone, whose clock was 3 days ahead", clamped(3 * DAY)],
  ["Sent from phone, whose clock was 47 hours ahead", clamped(47 * HOUR)],
  ["Sent from phone, whose clock was 6 minutes ahead", clamped(6 * MINUTE)],
  ["Sent from phone, whose clock was 7973 years ahead", clamped(Date.UTC(9998, 11) - NOON)],
  ["Edited on a device that no longer exists", { byId: "gone" }],
  ["Edited on a device that no longer exists", { byId: null }],
  ["Changed by a key that no longer exists", { byKind: "api_key", byId: "gone" }],
  ["Changed by someone unknown", { byKind: null, byId: null }],
])("%s", (sentence, fields) => {
  expect(tell(event(fields), NAMES).join("")).toBe(sentence);
});

describe("the author of a change", () => {
  test("is named apart from Docket's own words, so that a page can keep the name separate", () => {
    expect(tell(event(KEY), NAMES)).toEqual(["Changed by the key ", "helper", ""]);
    expect(whoIs("session", "s", NAMES)).toEqual({ words: "", name: "laptop" });
  });

  test("is the sender, if a version was refused", () => {
    const refused = event({ ...KEY, loss: "stale", refused: true });
    expect(doerOf(refused, NAMES)).toEqual({ words: "", name: "phone" });
    expect(doerOf(event(KEY), NAMES)).toEqual({ words: "the key ", name: "helper" });
  });
});
