import { describe, expect, test } from "bun:test";
import {
  bots,
  DELETED,
  laptop,
  phone,
  push,
  rest,
  tab,
  type Version,
  withoutId,
} from "../../support/merging.ts";

describe("the bot filed tab b into a task with ann's tab a", () => {
  const versions = [
    laptop({ title: "t", pages: [tab("a")] }),
    rest({ title: "t", pages: [tab("a"), tab("b")] }),
  ];
  const filed = [bots("b", 1)];
  const [UNAWARE, KNOWS] = [0, 1];

  test.each<[string, readonly unknown[], number, readonly unknown[], boolean]>([
    ["does not know it: it is put back", [tab("a")], UNAWARE, [tab("a"), tab("b")], true],
    ["knows it, and removed it: it is gone", [tab("a")], KNOWS, [tab("a")], false],
    ["keeps it", [tab("a"), tab("b")], UNAWARE, [tab("a"), tab("b")], false],
    ["keeps it at another index", [tab("b"), tab("a")], UNAWARE, [tab("b"), tab("a")], false],
    ["keeps it without its id", [withoutId("b")], UNAWARE, [withoutId("b")], false],
    ["adds one", [tab("a"), tab("c")], UNAWARE, [tab("a"), tab("c"), tab("b")], true],
    ["removes ann's", [tab("b")], UNAWARE, [tab("b")], false],
    ["removes all, not knowing it", [], UNAWARE, [tab("b")], true],
    ["removes all", [], KNOWS, [], false],
  ])("a phone that %s", (_name, pages, knows, current, differs) => {
    const merged = push(versions, { payload: { title: "new", pages }, knows }, filed);
    expect(merged).toMatchObject({ payload: { title: "new", pages: current }, differs });
    expect(merged.payload["pages"]).toEqual(current);
    const at = (current as readonly { url: string }[]).findIndex(({ url }) => url === tab("b").url);
    expect(merged.filed.map((child) => [child.id, child.at])).toEqual(at === -1 ? [] : [["b", at]]);
  });

  test("a push is not touched if nothing is put back", () => {
    const payload = { pages: [tab("b")], odd: [{ deep: 1 }] };
    expect(push(versions, { payload, knows: UNAWARE }, filed).payload).toBe(payload);
  });

  test("a phone that pushes the task without its list gets the tab that it does not know", () => {
    const merged = push(versions, { payload: { title: "new" }, knows: UNAWARE }, filed);
    expect(merged).toMatchObject({ payload: { title: "new", pages: [tab("b")] }, differs: true });
    expect(merged.filed).toEqual([bots("b", 0)]);
  });

  test("if it knows the tab, the tab waits for its list", () => {
    const merged = push(versions, { payload: { title: "new" }, knows: KNOWS }, filed);
    expect(merged).toMatchObject({ payload: { title: "new" }, differs: false });
    expect(merged.filed).toEqual([{ ...bots("b", null), item: tab("b") }]);
    const payload = { pages: [withoutId("b")] };
    const again = push([...versions, phone(merged.payload)], { payload, knows: 2 }, merged.filed);
    expect(again.filed).toEqual([bots("b", 0)]);
  });

  test("a list that the extension stores in another form stays so, and the tab waits", () => {
    const merged = push(versions, { payload: { pages: "a,b" }, knows: UNAWARE }, filed);
    expect(merged).toMatchObject({ payload: { pages: "a,b" }, differs: false });
    expect(merged.filed).toEqual([{ ...bots("b", null), item: tab("b") }]);
  });

  test.each([
    ["without its list", {}, {}, false],
    ["with a list that lacks it", { pages: [tab("a")] }, { pages: [tab("a"), tab("b")] }, true],
  ])(
    "a deletion %s is applied, and the tab stays with the deleted task",
    (_name, payload, kept, differs) => {
      const merged = push(versions, { payload, deletedAt: DELETED, knows: UNAWARE }, filed);
      expect(merged).toMatchObject({ deletedAt: DELETED, differs });
      expect(merged.payload).toEqual(kept);
      expect(merged.filed.map(({ id }) => id)).toEqual(["b"]);
    },
  );

  test("a deletion with a list that lacks a tab that the phone knows leaves it waiting", () => {
    const payload = { pages: [tab("a")] };
    const merged = push(versions, { payload, deletedAt: DELETED, knows: KNOWS }, filed);
    expect(merged).toMatchObject({ payload, differs: false });
    expect(merged.filed).toEqual([{ ...bots("b", null), item: tab("b") }]);
  });

  test("whoever restores the deleted task has not seen the tab, if they saw only the deletion", () => {
    const dead: readonly Version[] = [...versions, laptop({}, { deletedAt: DELETED })];
    const waiting = [{ ...bots("b", null), item: tab("b") }];
    const payload = { title: "new", pages: [tab("a")] };
    const pages = [tab("a"), tab("b")];
    // It pulled version 0, and then the deletion, but never version 1.
    const since = [dead[0] as Version, { ...(dead[1] as Version) }, dead[2] as Version];
    const merged = push(since, { payload, knows: 0 }, waiting);
    expect(merged).toMatchObject({
      payload: { title: "new", pages },
      deletedAt: null,
      differs: true,
    });
    const known = push(since, { payload, knows: 2 }, waiting);
    expect(known).toMatchObject({ payload: { pages: [tab("a")] }, filed: [], differs: false });
  });
});

test("Notes are put back like tabs, each in its own list", () => {
  const note = { id: "n", text: "Ask bob." };
  const filed = [bots("b", 0), bots("n", 0, { list: "notes" })];
  const versions = [laptop({}), rest({ pages: [tab("b")], notes: [note] })];
  const merged = push(versions, { payload: {}, knows: 0 }, filed);
  expect(merged.payload).toEqual({ pages: [tab("b")], notes: [note] });
  expect(merged.filed).toEqual(filed);
});

test("Several are put back in their stored order, after what the device added, whenever they were filed", () => {
  const filed = [bots("c", 2), bots("b", 1), bots("a", 0)];
  const versions = [laptop({ pages: [] }), rest({ pages: [tab("a"), tab("b"), tab("c")] })];
  const payload = { pages: [tab("x"), tab("b")] };
  const merged = push(versions, { payload, knows: 0 }, filed);
  expect(merged.payload["pages"]).toEqual([tab("x"), tab("a"), tab("b"), tab("c")]);
  expect(merged.filed.map(({ id, at }) => [id, at])).toEqual([
    ["c", 3],
    ["b", 2],
    ["a", 1],
  ]);
});

test("A tab that another device moved here stays, though only devices wrote here", () => {
  const versions = [laptop({ pages: [] }), laptop({ pages: [tab("b")] })];
  const filed = [bots("b", 0)];
  expect(push(versions, { payload: { pages: [] }, knows: 0 }, filed).payload["pages"]).toEqual([
    tab("b"),
  ]);
  expect(push(versions, { payload: { pages: [] }, knows: 1 }, filed)).toMatchObject({
    payload: { pages: [] },
    filed: [],
  });
});

test("A tab of another device is lost to a later push that lacks it, as the specification has it", () => {
  const versions = [
    laptop({ title: "a", pages: [] }),
    laptop({ title: "a", pages: [tab("x")] }),
    rest({ title: "b", pages: [tab("x")] }),
  ];
  const merged = push(versions, { payload: { title: "a", pages: [] }, knows: 0 });
  expect(merged.payload).toEqual({ title: "b", pages: [] });
});

const of = (title: string | null, extra = 1) => (title === null ? { extra } : { title, extra });

describe("the bot changed a title from a to b, and then to c", () => {
  const versions = [laptop(of("a")), rest(of("b")), rest(of("c"))];

  test.each<[string, string, number, string, boolean]>([
    ["saw none of it, and left the title alone", "a", 0, "c", true],
    ["saw none of it, and set another", "mine", 0, "mine", false],
    ["saw b, and left it alone", "b", 1, "c", true],
    ["saw b, and set a again without saying so: it counts as left alone", "a", 1, "c", true],
    ["saw all, and set a again", "a", 2, "a", false],
    ["saw all, and left it", "c", 2, "c", false],
    ["saw none of it, and set the same as the bot", "c", 0, "c", false],
  ])("a phone that %s", (_name, title, knows, current, differs) => {
    const merged = push(versions, { payload: of(title, 2), knows });
    expect(merged).toMatchObject({ payload: of(current, 2), differs });
  });

  test("a phone that pushes the task without the field has emptied it", () => {
    expect(push(versions, { payload: of(null), knows: 0 })).toMatchObject({ differs: false });
    const none = [laptop(of(null)), rest(of("c"))];
    const merged = push(none, { payload: of(null, 2), knows: 0 });
    expect(merged).toMatchObject({ payload: of("c", 2), differs: true });
  });

  test("a device that changed it once more does not change that", () => {
    const since = [...versions, laptop(of("d"))];
    expect(push(since, { payload: of("a", 2), knows: 0 }).payload).toEqual(of("d", 2));
    expect(push(since, { payload: of("mine", 2), knows: 0 }).payload).toEqual(of("mine", 2));
  });

  test("a title that only devices changed is as the last push has it", () => {
    const since = [laptop(of("a")), laptop(of("b")), rest(of("b", 3))];
    expect(push(since, { payload: of("a"), knows: 0 }).payload).toEqual({ title: "a", extra: 3 });
  });
});

test("What a key did before the way of a change was recorded counts as done over REST", () => {
  const versions = [laptop(of("a")), rest(of("b"), { isOld: true })];
  expect(push(versions, { payload: of("a", 2), knows: 0 }).payload).toEqual(of("b", 2));
  const devices = [laptop(of("a")), laptop(of("b"), { isOld: true }), rest(of("b", 3))];
  expect(push(devices, { payload: of("a"), knows: 0 }).payload).toEqual(of("a", 3));
});

test("A field that a person's restore removed stays away, also one that Docket does not know", () => {
  const versions = [laptop({ title: "a", odd: 1 }), rest({ title: "a" })];
  const merged = push(versions, { payload: { title: "new", odd: 1 }, knows: 0 });
  expect(merged.payload).toEqual({ title: "new" });
});

describe("a person undid a tab that the bot filed", () => {
  const versions = [
    laptop({ pages: [tab("a")] }),
    rest({ pages: [tab("a"), tab("b")] }),
    rest({ pages: [tab("a")] }),
  ];
  const pages = [tab("a"), tab("b")];

  test("a phone that does not know of it cannot bring the tab back", () => {
    const merged = push(versions, { payload: { pages }, knows: 1 });
    expect(merged).toMatchObject({ payload: { pages: [tab("a")] }, differs: true });
    const more = push(versions, { payload: { pages: [...pages, tab("c")] }, knows: 1 });
    expect(more.payload["pages"]).toEqual([tab("a"), tab("c")]);
  });

  test("a phone that knows of it can", () => {
    const merged = push(versions, { payload: { pages }, knows: 2 });
    expect(merged).toMatchObject({ payload: { pages }, differs: false });
  });

  test("one that has never seen the tab may save the page itself", () => {
    const mine = [tab("a"), { id: "own", url: tab("b").url }];
    const merged = push(versions, { payload: { pages: mine }, knows: 0 });
    expect(merged).toMatchObject({ payload: { pages: mine }, differs: false });
  });
});

test("A device's own list counts, if it was deleted when the device last saw the task", () => {
  const versions = [
    phone({ title: "t", pages: [tab("x")] }, { deletedAt: DELETED }),
    laptop({ title: "t", pages: [tab("y")] }),
    rest({ title: "t", pages: [tab("y"), tab("b")] }),
  ];
  const payload = { title: "t", pages: [tab("x")] };
  const merged = push(versions, { payload, knows: 0, base: "version 0" }, [bots("b", 1)]);
  expect(merged.payload["pages"]).toEqual([tab("x"), tab("b")]);
});

test("A list that a person restored to another order stays so, if the device left it alone", () => {
  const versions = [
    laptop({ title: "a", pages: [tab("a"), tab("b")] }),
    rest({ title: "a", pages: [tab("b"), { ...tab("a"), title: "A" }] }),
  ];
  const payload = { title: "new", pages: [tab("a"), tab("b")] };
  expect(push(versions, { payload, knows: 0 }).payload).toEqual({
    title: "new",
    pages: [tab("b"), { ...tab("a"), title: "A" }],
  });
});

describe("a person restored a deleted task", () => {
  const versions = [
    laptop({ title: "t" }),
    phone({ title: "t" }, { deletedAt: DELETED }),
    rest({ title: "t" }),
  ];

  test("a deletion from before the restore is not repeated", () => {
    const merged = push(versions, { payload: {}, deletedAt: DELETED, knows: 1 });
    expect(merged).toMatchObject({ payload: { title: "t" }, deletedAt: null, differs: true });
  });

  test("a device that restores it too, with something new, is not held up", () => {
    const payload = { title: "mine" };
    const merged = push(versions, { payload, knows: 1 });
    expect(merged).toMatchObject({ payload, deletedAt: null, differs: false });
  });

  test("a deletion by a device that knows of the restore is applied", () => {
    const merged = push(versions, { payload: {}, deletedAt: DELETED, knows: 2 });
    expect(merged).toMatchObject({ payload: {}, deletedAt: DELETED, differs: false });
  });
});

test("A task whose creation was undone is not brought back by a device that does not know", () => {
  const versions = [rest({ title: "t" }), rest({ title: "t" }, { deletedAt: DELETED })];
  const payload = { title: "mine" };
  expect(push(versions, { payload, knows: 0 })).toMatchObject({
    payload,
    deletedAt: DELETED,
    differs: true,
  });
  expect(push(versions, { payload, knows: 1 })).toMatchObject({ deletedAt: null, differs: false });
});
