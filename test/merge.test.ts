import { describe, expect, test } from "bun:test";
import type { FiledChild } from "../src/child.ts";
import type { FieldGuard } from "../src/guards.ts";
import { NO_GUARDS } from "../src/guards.ts";
import { type ChildFinder, mergePush, type RecordState } from "../src/merge.ts";
import type { Payload } from "../src/payload.ts";
import type { Sight } from "../src/sight.ts";
import { changeOf } from "./_changes.ts";
import { NOON } from "./_server.ts";

const DELETED = "2026-03-04T12:00:00.000Z";

const nobody: ChildFinder = () => [];

/** A device that saw all, and one that saw nothing since the bot came. */
const all = (seen: boolean): Sight => ({
  child: ({ stamp }) => seen || stamp === undefined,
  drop: () => seen,
  field: () => seen,
  again: () => false,
});
const [KNOWS, UNAWARE] = [all(true), all(false)];

const tab = (name: string) => ({ id: name, url: `https://${name}.example/` });
const withoutId = (name: string) => ({ url: `https://${name}.example/` });

const bots = (id: string, at: number | null, more: object = {}): FiledChild => ({
  list: "pages",
  id,
  key: "bot",
  createdAt: DELETED,
  stamp: 5,
  at,
  ...more,
});

const standing = (payload: Payload, more: Partial<RecordState> = {}): RecordState => ({
  payload,
  deletedAt: null,
  filed: [],
  guards: NO_GUARDS,
  ...more,
});

/** What stands after a push of ann's phone, and what of it the phone is told. */
const push = (
  state: RecordState,
  payload: Payload,
  sight: Sight,
  {
    deletedAt = null,
    findMoved = nobody,
  }: { deletedAt?: string | null; findMoved?: ChildFinder } = {},
) => {
  const merged = mergePush(state, changeOf(NOON, payload, deletedAt), sight, findMoved);
  const where = merged.filed.map(({ id, at }) => [id, at]);
  return { ...merged, where };
};

describe("into a task with ann's tab a, the bot filed tab b", () => {
  const state = standing({ title: "t", pages: [tab("a"), tab("b")] }, { filed: [bots("b", 1)] });

  test.each<[string, readonly unknown[], Sight, readonly unknown[], boolean]>([
    ["does not know it: it is put back", [tab("a")], UNAWARE, [tab("a"), tab("b")], true],
    ["knows it, and threw it away: it is gone", [tab("a")], KNOWS, [tab("a")], false],
    ["keeps it", [tab("a"), tab("b")], UNAWARE, [tab("a"), tab("b")], false],
    ["keeps it elsewhere", [tab("b"), tab("a")], UNAWARE, [tab("b"), tab("a")], false],
    ["keeps it without its id", [withoutId("b")], UNAWARE, [withoutId("b")], false],
    ["adds one", [tab("a"), tab("c")], UNAWARE, [tab("a"), tab("c"), tab("b")], true],
    ["throws ann's away", [tab("b")], UNAWARE, [tab("b")], false],
    ["throws all away, unaware", [], UNAWARE, [tab("b")], true],
    ["throws all away", [], KNOWS, [], false],
  ])("a phone that %s", (_name, pages, sight, stands, differs) => {
    const merged = push(state, { title: "new", pages }, sight);
    expect(merged).toMatchObject({ payload: { title: "new", pages: stands }, differs });
    expect(merged.payload["pages"]).toEqual(stands);
    const at = (stands as readonly { url: string }[]).findIndex(({ url }) => url === tab("b").url);
    expect(merged.where).toEqual(at === -1 ? [] : [["b", at]]);
  });

  test("what was pushed is not touched where nothing is put back", () => {
    const payload = { pages: [tab("b")], odd: [{ deep: 1 }] };
    expect(push(state, payload, UNAWARE).payload).toBe(payload);
  });

  test("a phone that pushes the task without its list is given the tab that it does not know", () => {
    const merged = push(state, { title: "new" }, UNAWARE);
    expect(merged).toMatchObject({ payload: { title: "new", pages: [tab("b")] }, differs: true });
    expect(merged.where).toEqual([["b", 0]]);
  });

  test("where it knows the tab, it waits for its list", () => {
    const merged = push(state, { title: "new" }, KNOWS);
    expect(merged).toMatchObject({ payload: { title: "new" }, differs: false });
    expect(merged.filed).toEqual([{ ...bots("b", null), item: tab("b") }]);
    const again = push(standing(merged.payload, merged), { pages: [withoutId("b")] }, KNOWS);
    expect(again.filed).toEqual([bots("b", 0)]);
  });

  test("a list in a form of the extension's own stays so, and the tab waits", () => {
    const merged = push(state, { pages: "a,b" }, UNAWARE);
    expect(merged).toMatchObject({ payload: { pages: "a,b" }, differs: false });
    expect(merged.filed).toEqual([{ ...bots("b", null), item: tab("b") }]);
  });

  test("a deletion wins over a tab that it does not know, which comes back with the task", () => {
    const merged = push(state, {}, UNAWARE, { deletedAt: DELETED });
    expect(merged).toMatchObject({ payload: {}, deletedAt: DELETED, differs: false });
    const dead = standing(merged.payload, merged);
    const revived = push(dead, { title: "new", pages: [tab("a")] }, UNAWARE);
    expect(revived).toMatchObject({
      payload: { title: "new", pages: [tab("a"), tab("b")] },
      deletedAt: null,
      differs: true,
    });
    const known = push(dead, { title: "new", pages: [tab("a")] }, KNOWS);
    expect(known).toMatchObject({ payload: { pages: [tab("a")] }, filed: [], differs: false });
  });
});

test("notes are put back as tabs are, each to its own list", () => {
  const note = { id: "n", text: "Ask bob." };
  const filed = [bots("b", 0), bots("n", 0, { list: "notes" })];
  const merged = push(standing({ pages: [tab("b")], notes: [note] }, { filed }), {}, UNAWARE);
  expect(merged.payload).toEqual({ pages: [tab("b")], notes: [note] });
  expect(merged.filed).toEqual(filed);
});

test("several are put back in their order, behind what was pushed", () => {
  const filed = [bots("a", 0), bots("b", 1), bots("c", 2)];
  const state = standing({ pages: [tab("a"), tab("b"), tab("c")] }, { filed });
  const merged = push(state, { pages: [tab("x"), tab("b")] }, UNAWARE);
  expect(merged.payload["pages"]).toEqual([tab("x"), tab("b"), tab("a"), tab("c")]);
  expect(merged.where).toEqual([
    ["b", 1],
    ["a", 2],
    ["c", 3],
  ]);
});

/** Finds b, which the bot filed into another task. */
const findMoved: ChildFinder = (list, _before, after) =>
  list === "pages" && after.length > 0 ? [bots("b", 0, { stamp: undefined })] : [];

test("a tab that a device moves here is the key's, and known to all devices", () => {
  const moved = push(standing({}), { pages: [tab("b")] }, UNAWARE, { findMoved });
  expect(moved.where).toEqual([["b", 0]]);
  expect(push(standing(moved.payload, moved), { pages: [] }, UNAWARE)).toMatchObject({
    payload: { pages: [] },
    filed: [],
    differs: false,
  });
});

const guard = (before: unknown, stamp: number, field: FieldGuard["field"] = "title") =>
  ({ field, before, stamp, updated: stamp }) as FieldGuard;

/** A device that saw what was stamped up to `last`. */
const sawUpTo = (last: number): Sight => ({ ...UNAWARE, field: ({ stamp }) => stamp <= last });

describe("the bot changed a title from a to b, and then to c", () => {
  const guards = { fields: [guard("a", 1), guard("b", 2)], drops: [] };
  const state = standing({ title: "c", extra: 1 }, { guards });

  test.each<[string, string, Sight, string, boolean]>([
    ["saw nothing of it, and left the title alone", "a", UNAWARE, "c", true],
    ["saw nothing of it, and set another", "mine", UNAWARE, "mine", false],
    ["saw b, and left it alone", "b", sawUpTo(1), "c", true],
    ["saw b, and set a again", "a", sawUpTo(1), "a", false],
    ["saw all, and set a again", "a", KNOWS, "a", false],
    ["saw all, and left it", "c", KNOWS, "c", false],
    ["saw nothing of it, and set the same as the bot", "c", UNAWARE, "c", false],
  ])("a phone that %s", (_name, title, sight, stands, differs) => {
    const merged = push(state, { title, extra: 2 }, sight);
    expect(merged).toMatchObject({ payload: { title: stands, extra: 2 }, differs });
    // What a device set is its person's from now on; what stands as the bot left it stays guarded.
    expect(merged.guards.fields).toEqual(stands === "c" ? guards.fields : []);
  });

  test("a phone that pushes the task without the field counts as having none there", () => {
    expect(push(state, {}, UNAWARE)).toMatchObject({ payload: {}, differs: false });
    const none = standing({ title: "c" }, { guards: { fields: [guard(null, 1)], drops: [] } });
    expect(push(none, { extra: 2 }, UNAWARE)).toMatchObject({
      payload: { title: "c", extra: 2 },
      differs: true,
    });
  });
});

test("each field is judged for itself", () => {
  const guards = { fields: [guard("a", 1), guard("todo", 2, "status")], drops: [] };
  const state = standing({ title: "b", status: "done" }, { guards });
  const merged = push(state, { title: "mine", status: "todo" }, UNAWARE);
  expect(merged.payload).toEqual({ title: "mine", status: "done" });
  expect(merged.guards.fields).toEqual([guard("todo", 2, "status")]);
});

describe("a person undid a tab of the bot's", () => {
  const drop = { list: "pages", ids: ["b"], value: null, stamp: 5 } as const;
  const state = standing({ pages: [tab("a")] }, { guards: { fields: [], drops: [drop] } });

  test("a phone that does not know it cannot bring it back", () => {
    const merged = push(state, { pages: [tab("a"), tab("b")] }, UNAWARE);
    expect(merged).toMatchObject({ payload: { pages: [tab("a")] }, differs: true });
    expect(merged.guards.drops).toEqual([drop]);
  });

  test("one that knows it can", () => {
    const merged = push(state, { pages: [tab("a"), tab("b")] }, KNOWS);
    expect(merged).toMatchObject({ payload: { pages: [tab("a"), tab("b")] }, differs: false });
    expect(merged.guards.drops).toEqual([]);
  });
});

describe("a person brought a deleted task back", () => {
  const guards = { fields: [guard(true, 5, "deleted_at")], drops: [] };
  const state = standing({ title: "t" }, { guards });

  test("a deletion from before that is not done again", () => {
    const merged = push(state, {}, UNAWARE, { deletedAt: DELETED });
    expect(merged).toMatchObject({ payload: { title: "t" }, deletedAt: null, differs: true });
  });

  test("a deletion by one who knows is", () => {
    const merged = push(state, {}, KNOWS, { deletedAt: DELETED });
    expect(merged).toMatchObject({ payload: {}, deletedAt: DELETED, differs: false });
    expect(merged.guards.fields).toEqual([]);
  });
});

test("a task whose making was undone is not brought to life by one who does not know", () => {
  const guards = { fields: [guard(false, 5, "deleted_at")], drops: [] };
  const state = standing({}, { guards, deletedAt: DELETED });
  const merged = push(state, { title: "mine" }, UNAWARE);
  expect(merged).toMatchObject({ payload: { title: "mine" }, deletedAt: DELETED, differs: true });
  expect(push(state, { title: "mine" }, KNOWS)).toMatchObject({ deletedAt: null, differs: false });
});
