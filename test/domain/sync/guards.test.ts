import { expect, test } from "bun:test";
import type { ActorKind } from "../../../src/domain/people/caller.ts";
import type { Removal } from "../../../src/domain/sync/removal.ts";
import {
  type FieldGuard,
  guardRemovals,
  guardEdit,
  type Guards,
  NO_GUARDS,
} from "../../../src/domain/sync/guards.ts";
import { DAY } from "../../../src/domain/base/instant.ts";
import type { Payload } from "../../../src/domain/base/payload.ts";

const DELETED = "2026-03-04T12:00:00.000Z";
const at = (stamp: number) => ({ stamp, updated: stamp });

const live = (payload: Payload) => ({ payload, deletedAt: null });

/** The guards after an edit of a task that had none. */
const after = (before: Payload, edited: Payload, by: ActorKind = "api_key") =>
  guardEdit(NO_GUARDS, live(before), live(edited), by, at(5)).fields;

test.each<[string, Payload, Payload, readonly (readonly [string, unknown])[]]>([
  ["the title", { title: "a" }, { title: "b" }, [["title", "a"]]],
  ["the status", { status: "todo" }, { status: "done" }, [["status", "todo"]]],
  ["a colour that was absent", {}, { colour: "red" }, [["colour", null]]],
  ["the folder", { project_id: "p1" }, { project_id: null }, [["project_id", "p1"]]],
  ["the bucket", { bucket_id: "b1" }, { bucket_id: "b2" }, [["bucket_id", "b1"]]],
  [
    "two fields at once",
    { title: "a", status: "todo" },
    { title: "b", status: "done" },
    [
      ["title", "a"],
      ["status", "todo"],
    ],
  ],
  ["a folder's name, when a person restores it", { name: "a" }, { name: "b" }, [["name", "a"]]],
  ["nothing", { title: "a" }, { title: "a" }, []],
  ["a field that is null already", {}, { colour: null }, []],
  ["a field that only the extension knows", { extra: 1 }, { extra: 2 }, []],
  ["tabs alone", { pages: [] }, { pages: [{ id: "a" }] }, []],
])("If a key changes %s, the value before is kept", (_name, before, edited, kept) => {
  expect(after(before, edited)).toEqual(
    kept.map(([field, value]) => ({ field, before: value, ...at(5) }) as FieldGuard),
  );
});

test("An undone deletion, or one made again, is kept too", () => {
  const dead = { payload: {}, deletedAt: DELETED };
  const restored = guardEdit(NO_GUARDS, dead, live({}), "person", at(1));
  expect(restored.fields).toEqual([{ field: "deleted_at", before: true, ...at(1) }]);
  expect(guardEdit(restored, live({}), dead, "person", at(2)).fields).toEqual([
    { field: "deleted_at", before: true, ...at(1) },
    { field: "deleted_at", before: false, ...at(2) },
  ]);
});

test("Every change of a field is kept, oldest first", () => {
  const once = guardEdit(NO_GUARDS, live({ title: "a" }), live({ title: "b" }), "api_key", at(1));
  const twice = guardEdit(once, live({ title: "b" }), live({ title: "c" }), "api_key", at(2));
  expect(twice.fields.map(({ before, stamp }) => [before, stamp])).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
});

test("A field that the person's own device sets over REST is theirs: it is no longer guarded", () => {
  const keys = guardEdit(
    NO_GUARDS,
    live({ title: "a", status: "todo" }),
    live({ title: "b", status: "done" }),
    "api_key",
    at(1),
  );
  const theirs = guardEdit(keys, live({ title: "b" }), live({ title: "c" }), "session", at(2));
  expect(theirs.fields).toEqual([{ field: "status", before: "todo", ...at(1) }]);
});

const title = (n: number) => ({ title: `title ${n}`, status: n === 0 ? "todo" : "done" });

test("The last sixteen changes of a field are kept, however often another field changes", () => {
  let guards: Guards = NO_GUARDS;
  for (let n = 0; n < 20; n += 1)
    guards = guardEdit(guards, live(title(n)), live(title(n + 1)), "api_key", at(n));
  const kept = guards.fields.map(({ field, before }) => `${field} ${String(before)}`);
  expect(kept).toEqual([
    "status todo",
    ...Array.from({ length: 16 }, (_, n) => `title title ${n + 4}`),
  ]);
});

const drop = (id: string): Omit<Removal, "stamp"> => ({ list: "pages", ids: [id], value: null });
const idsOf = ({ drops }: Guards) => drops.map(({ ids, stamp }) => [...ids, stamp]);

test("A removal is kept until the child is put back", () => {
  const one = guardRemovals(NO_GUARDS, [drop("a"), drop("b")], new Set(), 1);
  expect(idsOf(one)).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  expect(idsOf(guardRemovals(one, [drop("c")], new Set(["a"]), 2))).toEqual([
    ["b", 1],
    ["c", 2],
  ]);
});

test("A child that is removed twice is kept once, with the last stamp", () => {
  const one = guardRemovals(NO_GUARDS, [drop("a")], new Set(), 1);
  expect(idsOf(guardRemovals(one, [drop("a")], new Set(), 2))).toEqual([["a", 2]]);
});

test("Removals are forgotten after 90 days, and beyond 2,000", () => {
  const old = guardRemovals(NO_GUARDS, [drop("old")], new Set(), 0);
  expect(idsOf(guardRemovals(old, [drop("a")], new Set(), 90 * DAY - 1))).toHaveLength(2);
  expect(idsOf(guardRemovals(old, [drop("a")], new Set(), 90 * DAY))).toEqual([["a", 90 * DAY]]);
  const many = Array.from({ length: 2_001 }, (_, n) => drop(`d${n}`));
  const kept = guardRemovals(old, many, new Set(), 1).drops;
  expect([kept.length, kept[0]?.ids]).toEqual([2_000, ["d1"]]);
});
