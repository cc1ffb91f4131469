import { describe, expect, test } from "bun:test";
import type { FieldGuard } from "../../../src/domain/sync/guards.ts";
import type { Knowledge } from "../../../src/domain/sync/knowledge.ts";
import { DELETED, KNOWS, UNAWARE, push, stored, tab } from "../../support/merging.ts";

const guard = (before: unknown, stamp: number, field: FieldGuard["field"] = "title") =>
  ({ field, before, stamp, updated: stamp }) as FieldGuard;

/** A device that saw changes stamped up to `last`. */
const sawUpTo = (last: number): Knowledge => ({ ...UNAWARE, field: ({ stamp }) => stamp <= last });

describe("the bot changed a title from a to b, and then to c", () => {
  const guards = { fields: [guard("a", 1), guard("b", 2)], drops: [] };
  const state = stored({ title: "c", extra: 1 }, { guards });

  test.each<[string, string, Knowledge, string, boolean]>([
    ["saw none of it, and left the title alone", "a", UNAWARE, "c", true],
    ["saw none of it, and set another", "mine", UNAWARE, "mine", false],
    ["saw b, and left it alone", "b", sawUpTo(1), "c", true],
    ["saw b, and set a again", "a", sawUpTo(1), "a", false],
    ["saw all, and set a again", "a", KNOWS, "a", false],
    ["saw all, and left it", "c", KNOWS, "c", false],
    ["saw none of it, and set the same as the bot", "c", UNAWARE, "c", false],
  ])("a phone that %s", (_name, title, knowledge, current, differs) => {
    const merged = push(state, { title, extra: 2 }, knowledge);
    expect(merged).toMatchObject({ payload: { title: current, extra: 2 }, differs });
    // A field that a device set is the person's from now on; one that is still as the bot left it stays
    // guarded.
    expect(merged.guards.fields).toEqual(current === "c" ? guards.fields : []);
  });

  test("a phone that pushes the task without the field counts as having left it empty", () => {
    expect(push(state, {}, UNAWARE)).toMatchObject({ payload: {}, differs: false });
    const none = stored({ title: "c" }, { guards: { fields: [guard(null, 1)], drops: [] } });
    expect(push(none, { extra: 2 }, UNAWARE)).toMatchObject({
      payload: { title: "c", extra: 2 },
      differs: true,
    });
  });
});

test("What the bot changed and changed back counts as unchanged", () => {
  const guards = { fields: [guard("a", 1), guard("b", 2)], drops: [] };
  const merged = push(stored({ title: "a" }, { guards }), { title: "a", extra: 2 }, UNAWARE);
  expect(merged).toMatchObject({ payload: { title: "a", extra: 2 }, differs: false });
});

test("Each field is judged separately", () => {
  const guards = { fields: [guard("a", 1), guard("todo", 2, "status")], drops: [] };
  const state = stored({ title: "b", status: "done" }, { guards });
  const merged = push(state, { title: "mine", status: "todo" }, UNAWARE);
  expect(merged.payload).toEqual({ title: "mine", status: "done" });
  expect(merged.guards.fields).toEqual([guard("todo", 2, "status")]);
});

describe("a person undid a tab that the bot filed", () => {
  const drop = { list: "pages", ids: ["b"], value: null, stamp: 5 } as const;
  const state = stored({ pages: [tab("a")] }, { guards: { fields: [], drops: [drop] } });

  test("a phone that does not know of it cannot bring the tab back", () => {
    const merged = push(state, { pages: [tab("a"), tab("b")] }, UNAWARE);
    expect(merged).toMatchObject({ payload: { pages: [tab("a")] }, differs: true });
    expect(merged.guards.drops).toEqual([drop]);
  });

  test("a phone that knows of it can", () => {
    const merged = push(state, { pages: [tab("a"), tab("b")] }, KNOWS);
    expect(merged).toMatchObject({ payload: { pages: [tab("a"), tab("b")] }, differs: false });
    expect(merged.guards.drops).toEqual([]);
  });
});

describe("a person restored a deleted task", () => {
  const guards = { fields: [guard(true, 5, "deleted_at")], drops: [] };
  const state = stored({ title: "t" }, { guards });

  test("a deletion from before the restore is not repeated", () => {
    const merged = push(state, {}, UNAWARE, { deletedAt: DELETED });
    expect(merged).toMatchObject({ payload: { title: "t" }, deletedAt: null, differs: true });
  });

  test("a deletion by a device that knows of the restore is applied", () => {
    const merged = push(state, {}, KNOWS, { deletedAt: DELETED });
    expect(merged).toMatchObject({ payload: {}, deletedAt: DELETED, differs: false });
    expect(merged.guards.fields).toEqual([]);
  });
});

test("A task whose creation was undone is not brought back by a device that does not know", () => {
  const guards = { fields: [guard(false, 5, "deleted_at")], drops: [] };
  const state = stored({}, { guards, deletedAt: DELETED });
  const merged = push(state, { title: "mine" }, UNAWARE);
  expect(merged).toMatchObject({ payload: { title: "mine" }, deletedAt: DELETED, differs: true });
  expect(push(state, { title: "mine" }, KNOWS)).toMatchObject({ deletedAt: null, differs: false });
});
