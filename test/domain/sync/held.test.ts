import { describe, expect, test } from "bun:test";
import {
  DELETED,
  laptop,
  pastOf,
  phone,
  type Pushed,
  rest,
  timeOf,
  type Version,
} from "../../support/merging.ts";

const titled = (title: string) => ({ title, status: "todo" });

/** The title of the version on which the phone made its edit. */
const heldBy = (
  versions: readonly Version[],
  pushed: Partial<Pushed>,
  all = 0,
  restored: number | null = null,
) => pastOf(versions, { payload: { title: "mine" }, knows: null, ...pushed }, all, restored).held;

describe("A device that says what it has pulled", () => {
  const versions = [laptop(titled("a")), rest(titled("b")), rest(titled("c"))];

  test.each([
    [0, "a"],
    [1, "b"],
    [2, "c"],
  ])("up to version %d held that version", (knows, title) => {
    const held = heldBy(versions, { knows });
    expect(held).toMatchObject({ payload: titled(title), seen: titled(title), isDeleted: false });
  });

  test("held the version before, if the edit is older than the delivery and nearer to that", () => {
    const payload = { title: "a", status: "done" };
    expect(heldBy(versions, { knows: 1, payload, updated: timeOf(0) + 500 }).payload["title"]).toBe(
      "a",
    );
  });

  test("held what was delivered, if its clock is slow and the edit is nearer to that", () => {
    const payload = { title: "b", status: "done" };
    expect(heldBy(versions, { knows: 1, payload, updated: 10 }).payload["title"]).toBe("b");
  });

  test("held the version before, if the edit is older than the delivery and equal to that", () => {
    const pushed = { knows: 1, payload: titled("a"), updated: timeOf(0) + 500 };
    expect(heldBy(versions, pushed).payload["title"]).toBe("a");
  });

  test("held what a merge made, if it sends the same again although that has arrived", () => {
    const again = [...versions.slice(0, 2), phone(titled("b"), { sent: titled("a") })];
    const pushed = { knows: 2, payload: titled("a"), updated: 10 };
    expect(heldBy(again, pushed).payload["title"]).toBe("b");
  });

  test("held something that is no longer stored, if it is too far behind", () => {
    const held = heldBy([rest(titled("b")), rest(titled("c"))], { knows: 0 }, timeOf(0) + 2);
    expect(held).toMatchObject({ payload: titled("b"), seen: null });
  });

  test("held a later version that it pushed itself", () => {
    const since = [...versions, phone(titled("mine")), rest(titled("d"))];
    expect(heldBy(since, { knows: 0 }).payload["title"]).toBe("mine");
  });
});

describe("A device whose last push was merged", () => {
  const merged = phone({ title: "b", status: "mine" }, { sent: { title: "a", status: "mine" } });
  const versions = [laptop(titled("a")), rest(titled("b")), merged];
  const mine = { status: "mine", colour: "red" };

  test("holds what it sent, if its next edit is nearer to that", () => {
    const held = heldBy(versions, { knows: 0, payload: { ...mine, title: "a" } });
    expect(held).toMatchObject({ payload: { title: "a" }, wasStored: false });
  });

  test("holds what the reply told, if its next edit is nearer to that", () => {
    const held = heldBy(versions, { knows: 0, payload: { ...mine, title: "b" } });
    expect(held).toMatchObject({ payload: { title: "b" }, wasStored: true });
  });

  test("has not seen what was done before that push, if it holds what it sent", () => {
    const past = pastOf(versions, { knows: 0, payload: { ...mine, title: "a" } });
    expect([...past.fields]).toEqual(["title"]);
  });
});

test("The versions since the one that a device held are listed, with that one", () => {
  const versions = ["a", "b", "c", "d"].map((title) => laptop(titled(title)));
  const past = pastOf(versions, { payload: titled("mine"), knows: 1 });
  expect(past.versions).toEqual([titled("d"), titled("c"), titled("b")]);
  const sent = [...versions, phone(titled("e"), { sent: titled("sent") }), laptop(titled("f"))];
  const raw = pastOf(sent, { payload: titled("x"), knows: 3, base: "sent 4" });
  expect(raw.versions.slice(-1)).toEqual([titled("d")]);
});

describe("A device that names the version", () => {
  const versions = [
    laptop(titled("a")),
    phone(titled("b"), { sent: titled("sent") }),
    rest(titled("c")),
    laptop(titled("d")),
  ];

  test.each([
    ["version 0", "a"],
    ["version 1", "b"],
    ["version 2", "c"],
    ["version 3", "d"],
    ["sent 1", "sent"],
  ])("%s held that one, whatever it has pulled", (base, title) => {
    for (const knows of [0, 1, 2, 3, null])
      expect(heldBy(versions, { knows, base, updated: 10 }).payload["title"]).toBe(title);
  });

  test("held its own, if another device's version has the same stamp", () => {
    const [mine, theirs] = [phone(titled("mine")), laptop(titled("theirs"))];
    const named = [mine, theirs].map((one) => ({ ...one, updatedAt: "the same" }));
    const since = [laptop(titled("a")), ...named, rest(titled("d"))];
    const held = (title: string) =>
      heldBy(since, { knows: 0, base: "the same", payload: { title, colour: "red" } });
    expect(held("mine")).toMatchObject({ payload: titled("mine"), depth: 2 });
    expect(held("theirs")).toMatchObject({ payload: titled("theirs"), depth: 1 });
    expect(held("other")).toMatchObject({ payload: titled("mine"), depth: 2 });
  });

  test("of which nothing is known held what its last pull says", () => {
    expect(heldBy(versions, { knows: 2, base: "version 9" }).payload["title"]).toBe("c");
  });

  test("is not understood if a restore came between: another version got the same stamp", () => {
    const pushed = { knows: 1, base: "version 3" };
    expect(heldBy(versions, pushed, 0, timeOf(1)).payload["title"]).toBe("b");
  });

  test("that a restore has lost held what was in the backup", () => {
    const held = heldBy(versions, { knows: 1, base: "version 9" }, 0, timeOf(1));
    expect(held).toMatchObject({ payload: titled("b"), seen: titled("b"), depth: 2 });
  });

  test("that a restore has lost may have been its own, made on what it had pulled before", () => {
    const lost = { knows: 0, base: "version 9" };
    const near = (title: string) =>
      heldBy(versions, { ...lost, payload: { title, colour: "red" } }, 0, timeOf(1));
    expect(near("a")).toMatchObject({ payload: titled("a"), seen: titled("a"), depth: 3 });
    expect(near("b")).toMatchObject({ payload: titled("b"), seen: titled("b"), depth: 2 });
    // As near to the one as to the other: nothing must be lost. But what is as in the backup was left alone.
    expect(near("c")).toMatchObject({ payload: titled("a"), depth: 3 });
    const stay = { title: "a", status: "todo", colour: "red", tags: ["x"] };
    const backup = [laptop(titled("a")), rest({ ...stay, pages: ["u"] }), rest(titled("c"))];
    const pushed = { ...lost, payload: { title: "b", status: "todo", colour: "red" } };
    expect(heldBy(backup, pushed, 0, timeOf(1))).toMatchObject({
      payload: { title: "a", colour: "red" },
      depth: 2,
    });
  });

  test("that a restore has lost counts as having left all fields alone, if nobody knows what the backup had", () => {
    const pushed = { knows: null, base: "version 9", payload: { title: "mine", colour: "red" } };
    const since = [laptop(titled("a")), rest({ ...titled("b"), pages: ["u"] })];
    expect(heldBy(since, pushed, 0, 1)).toMatchObject({
      payload: { title: "mine", status: "todo", colour: "red" },
      seen: null,
    });
  });

  test("that was refused as stale held that, on what it had before", () => {
    const [a, b] = [titled("a"), titled("b")];
    const row = { ...b, colour: "red" };
    const since = [laptop(a), rest(b), laptop(row, { stale: titled("mine"), base: "version 0" })];
    const held = heldBy(since, { knows: null, base: "sent 2" });
    expect(held).toMatchObject({ payload: titled("mine"), depth: 2 });
    // Its own title is known since then: what REST had changed before is not news.
    expect([...held.sent.fields]).toEqual([["title", 0]]);
  });

  test("that was merged knows of its own changes, and of no others that were merged with them", () => {
    const start = { title: "a", status: "todo", colour: "red" };
    const byBot = { ...start, title: "bot", status: "bot", colour: "bot" };
    const sent = { ...start, title: "mine", status: "mine" };
    const merged = { ...sent, colour: "bot" };
    const since = [
      laptop(start),
      rest(byBot),
      phone(merged, { sent, base: "version 0" }),
      rest({ ...merged, status: "later" }),
    ];
    const past = pastOf(since, { payload: sent, knows: null, base: "sent 2" });
    expect(past.held).toMatchObject({ payload: sent, depth: 3 });
    // The title was changed over REST before its own change was applied, so it is not news.
    expect([...past.fields].toSorted()).toEqual(["colour", "status"]);
  });

  test("that it sends again, but that is not like the one with this stamp here, means a lost one", () => {
    const pushed = { knows: 0, base: "version 1", updatedAt: "version 1" };
    const lost = heldBy(versions, { ...pushed, payload: titled("lost") }, 0, timeOf(1));
    expect(lost).toMatchObject({ payload: titled("lost"), wasStored: false });
    const same = heldBy(versions, { ...pushed, payload: titled("b") }, 0, timeOf(1));
    expect(same).toMatchObject({ payload: titled("b"), wasStored: true });
  });

  test("as its own sends a version again that a restore has lost: it has edited nothing", () => {
    const payload = titled("lost");
    const held = heldBy(versions, { knows: 0, base: "the push", payload }, 0, timeOf(1));
    expect(held).toMatchObject({ payload, seen: payload, depth: 2 });
  });
});

const dead = (payload: object) => laptop({ ...payload }, { deletedAt: DELETED });

describe("A deleted task", () => {
  test("is as a device saw it last when it was alive, whatever the deletion held", () => {
    const versions = [laptop(titled("a")), rest(titled("b")), dead({})];
    const past = pastOf(versions, { payload: titled("a"), knows: 2 });
    expect(past.held).toMatchObject({ payload: titled("b"), isDeleted: true });
    expect(past.content).toEqual(titled("b"));
  });

  test("that a device never saw alive has shown it nothing that was filed", () => {
    const past = pastOf([dead({}), dead({ title: "b" })], { payload: titled("a"), knows: 1 });
    expect(past.held.seen).toBeNull();
  });
});

describe("A device that never says what it has pulled", () => {
  const versions = [laptop(titled("a")), rest(titled("b")), rest(titled("c"))];

  test("knew the fields as they were when it made the edit, and no filed tab", () => {
    const held = heldBy(versions, { updated: timeOf(1) + 1 });
    expect(held).toMatchObject({ payload: titled("b"), seen: null });
  });

  test("has seen what it pushed itself", () => {
    const pushed = [...versions, phone(titled("d")), rest(titled("e"))];
    expect(heldBy(pushed, {})).toMatchObject({ payload: titled("e"), seen: titled("d") });
  });
});
