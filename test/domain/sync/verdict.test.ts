import { expect, test } from "bun:test";
import { DAY, formatInstant, HOUR, MINUTE } from "../../../src/domain/base/instant.ts";
import { judge, type Stored } from "../../../src/domain/sync/proof.ts";
import { changeOf, meet, meetAll } from "../../support/changes.ts";
import { NOON } from "../../support/server.ts";

const DELETED = "2026-03-04T11:00:00.000Z";
const milk = { title: "Buy milk", status: "todo" };
const bread = { title: "Buy bread", status: "todo" };

const outcome = (stored: Stored | null, change: ReturnType<typeof changeOf>, now = NOON) =>
  judge(stored, change, now).outcome;

test("The first version of a record is stored as sent", () => {
  expect(judge(null, changeOf(NOON - DAY, milk), NOON)).toEqual({
    outcome: "applied",
    updated: NOON - DAY,
    clamp: null,
  });
});

test.each([
  ["A later stamp wins", changeOf(NOON + 1, bread), "applied"],
  ["An earlier stamp is stale", changeOf(NOON - 1, bread), "stale"],
  ["An earlier deletion is stale", changeOf(NOON - 1, {}, DELETED), "stale"],
  ["The same version again is a no-op", changeOf(NOON, milk), "same"],
  [
    "The order of fields makes no difference",
    changeOf(NOON, { status: "todo", title: "Buy milk" }),
    "same",
  ],
  ["At the same stamp a deletion wins", changeOf(NOON, {}, DELETED), "applied"],
  ["At the same stamp the greater payload wins", changeOf(NOON, { title: "z" }), "applied"],
  ["At the same stamp the lesser payload is stale", changeOf(NOON, bread), "stale"],
] as const)("%s", (_name, change, verdict) => {
  expect(outcome(meet(null, changeOf(NOON, milk)), change)).toBe(verdict);
});

test("A later edit brings a deleted task back, but one with the same stamp does not", () => {
  const deleted = meet(null, changeOf(NOON, {}, DELETED));
  expect(outcome(deleted, changeOf(NOON, milk))).toBe("stale");
  expect(outcome(deleted, changeOf(NOON + 1, milk))).toBe("applied");
});

test("Of two deletions with the same stamp the one that happened later wins, in any order", () => {
  const early = changeOf(NOON, {}, DELETED);
  const late = changeOf(NOON, {}, "2026-03-04T11:00:00.001Z");
  expect(meetAll([early, late])).toEqual(meetAll([late, early]));
  expect(meetAll([early, late])?.deletedAt).toBe("2026-03-04T11:00:00.001Z");
});

test("A stamp five minutes ahead is stored as sent, a millisecond more is clamped to now", () => {
  expect(judge(null, changeOf(NOON + 5 * MINUTE, milk), NOON)).toEqual({
    outcome: "applied",
    updated: NOON + 5 * MINUTE,
    clamp: null,
  });
  expect(judge(null, changeOf(NOON + 5 * MINUTE + 1, milk), NOON)).toEqual({
    outcome: "applied",
    updated: NOON,
    clamp: { raw: NOON + 5 * MINUTE + 1, content: expect.any(String), at: NOON },
  });
});

test("A clamped change is stored above the current version, even if that was itself ahead of the clock", () => {
  const stored = meet(null, changeOf(NOON + 3 * MINUTE, milk));
  const change = changeOf(NOON + HOUR, bread);
  expect(judge(stored, change, NOON)).toMatchObject({ updated: NOON + 3 * MINUTE + 1 });
});

/** A device an hour ahead pushed "bread" at noon. */
const AHEAD = NOON + HOUR;
const clamped = meet(meet(null, changeOf(NOON - HOUR, milk)), changeOf(AHEAD, bread));

test.each([
  ["at once", NOON],
  ["while it is still ahead", NOON + 30 * MINUTE],
  ["when it is no longer ahead", AHEAD - 5 * MINUTE],
  ["when its time has come", AHEAD],
  ["a day later", NOON + DAY],
  ["a month later", NOON + 30 * DAY],
])("A clamped change pushed again %s is a no-op, recognised as clamped", (_name, now) => {
  expect(outcome(clamped, changeOf(AHEAD, bread), now)).toBe("same_clamped");
});

test("A clamped change pushed again is recognised whatever the order of its fields", () => {
  const again = changeOf(AHEAD, { status: "todo", title: "Buy bread" });
  for (const now of [NOON, AHEAD + MINUTE])
    expect(outcome(clamped, again, now)).toBe("same_clamped");
});

test("An honest edit after the clamping wins, and the clamped change does not come back", () => {
  const edited = meet(clamped, changeOf(NOON + MINUTE, milk), NOON + MINUTE);
  expect(edited).toMatchObject({ updated: NOON + MINUTE, payloadText: JSON.stringify(milk) });
  for (const now of [NOON + MINUTE, AHEAD, NOON + 30 * DAY])
    expect(outcome(edited, changeOf(AHEAD, bread), now)).toBe("same_clamped");
});

test("An honest edit made before the clamping is stale", () => {
  expect(outcome(clamped, changeOf(NOON - 1, milk), NOON + MINUTE)).toBe("stale");
});

test("An honest deletion at the clamped stamp wins, as in any tie", () => {
  expect(outcome(clamped, changeOf(NOON, {}, DELETED), NOON + MINUTE)).toBe("applied");
});

test.each([
  ["at the clamped stamp, with other content", AHEAD, milk, null],
  ["at the clamped stamp, as a deletion", AHEAD, bread, DELETED],
  ["below the clamped stamp", AHEAD - 1, milk, null],
])("For 24 hours another change ahead and %s is stale", (_name, updated, payload, deletedAt) => {
  expect(outcome(clamped, changeOf(updated, payload, deletedAt), NOON + 1)).toBe("stale");
});

test("An edit that names the clamped version wins over it, below the stamp with which that was sent", () => {
  // As after the server's clock was set back: every later edit is ahead of it.
  const [later, back] = [NOON + HOUR, NOON - DAY / 2];
  const edit = changeOf(later, milk);
  expect(outcome(clamped, edit, back)).toBe("stale");
  expect(outcome(clamped, { ...edit, base: clamped?.updatedAt ?? null }, back)).toBe("applied");
  const older = { ...edit, base: formatInstant(NOON - HOUR) };
  expect(outcome(clamped, older, back)).toBe("stale");
});

test("The memory of a clamp ends after 24 hours, to the millisecond", () => {
  const farAhead = changeOf(NOON + 10 * DAY, bread);
  const stored = meet(null, farAhead);
  const other = changeOf(NOON + 10 * DAY - 1, milk);
  expect(outcome(stored, other, NOON + DAY - 1)).toBe("stale");
  expect(judge(stored, other, NOON + DAY)).toEqual({
    outcome: "applied",
    updated: NOON + DAY,
    clamp: { raw: NOON + 10 * DAY - 1, content: expect.any(String), at: NOON + DAY },
  });
});

test("Another change ahead and above the clamped stamp is the device's next edit: it is clamped too", () => {
  expect(judge(clamped, changeOf(AHEAD + 1, milk), NOON)).toEqual({
    outcome: "applied",
    updated: NOON + 1,
    clamp: { raw: AHEAD + 1, content: expect.any(String), at: NOON },
  });
});

test("A clamped deletion and a clamped edit with the same stamp are not confused", () => {
  const deleted = meet(null, changeOf(AHEAD, bread, DELETED));
  expect(outcome(deleted, changeOf(AHEAD, bread), NOON)).toBe("stale");
  expect(outcome(deleted, changeOf(AHEAD, bread, DELETED), NOON)).toBe("same_clamped");
});

test("A stamp from long ago is never refused for its age", () => {
  expect(outcome(null, changeOf(Date.parse("0000-01-01T00:00:00Z"), milk))).toBe("applied");
  expect(outcome(null, changeOf(0, milk))).toBe("applied");
});

test("A version that the server itself gave a device is not ahead, though its clock was set back", () => {
  const given = changeOf(NOON + 20 * MINUTE, milk);
  expect(judge(null, { ...given, base: given.updatedAt }, NOON)).toEqual({
    outcome: "applied",
    updated: NOON + 20 * MINUTE,
    clamp: null,
  });
});

test("A version that was given and is sent again does not win a tie", () => {
  const stored = meet(null, changeOf(NOON, bread));
  const [lesser, greater] = [changeOf(NOON, milk), changeOf(NOON, { title: "zzz" })];
  expect(outcome(stored, greater)).toBe("applied");
  for (const given of [lesser, greater])
    expect(outcome(stored, { ...given, base: given.updatedAt })).toBe("stale");
});
