import { describe, expect, test } from "bun:test";
import type { Payload } from "../../../src/domain/base/payload.ts";
import { withCandidates } from "../../../src/extension/save/edit.ts";
import { withoutAdded } from "../../../src/extension/save/undo.ts";

const desk = () => {
  let ids = 0;
  return { now: "2026-03-04T12:00:00.000Z", newId: () => `id-${(ids += 1)}` };
};

const tab = (url: string, group: number | null = null) => ({
  url,
  title: `Title of ${url}`,
  pinned: false,
  group,
  open: null,
});

const mail = (id: string) => `https://mail.google.com/mail/u/0/#inbox/${id}`;

describe("Tabs put into a task", () => {
  const groups = [{ id: 5, title: "Trip", color: "cyan" }];

  test("keep their group's name and colour, and unknown fields of the task survive", () => {
    const { task, added } = withCandidates(
      { title: "T", pages: ["https://example.org/old"], odd: 1 },
      [tab("https://example.org/a", 5), tab("https://example.org/b")],
      groups,
      desk(),
    );
    const at = { added_at: "2026-03-04T12:00:00.000Z" };
    expect(task).toEqual({
      title: "T",
      odd: 1,
      pages: [
        "https://example.org/old",
        {
          id: "id-1",
          url: "https://example.org/a",
          title: "Title of https://example.org/a",
          group: "cyan Trip",
          ...at,
        },
        {
          id: "id-2",
          url: "https://example.org/b",
          title: "Title of https://example.org/b",
          ...at,
        },
      ],
      groups: [{ id: "cyan Trip", title: "Trip", colour: "cyan" }],
    });
    expect(added).toEqual({ tabIds: ["id-1", "id-2"], groupIds: ["cyan Trip"], known: 0 });
  });

  test("are there once, and a group of the same name and colour is the same", () => {
    const known: Payload = {
      pages: [{ id: "p", url: "https://example.org/a?utm_source=x" }],
      groups: [{ id: "g", title: "Trip", colour: "cyan" }],
    };
    const { task, added } = withCandidates(
      known,
      [
        tab("https://example.org/a?fbclid=1", 5),
        tab("https://example.org/c", 5),
        tab("https://example.org/c"),
      ],
      groups,
      desk(),
    );
    expect(added).toEqual({ tabIds: ["id-1"], groupIds: [], known: 2 });
    expect(task["groups"]).toEqual([{ id: "g", title: "Trip", colour: "cyan" }]);
    expect(task["pages"]).toMatchObject([{ id: "p" }, { id: "id-1", group: "g" }]);
  });

  test("are all there if they differ in what follows the #, as mails and chats do", () => {
    const known: Payload = { pages: [{ id: "p", url: mail("A") }] };
    const open = ["A", "B", "C"].map((id) => tab(mail(id)));
    const { task, added } = withCandidates(known, open, [], desk());
    expect(added).toEqual({ tabIds: ["id-1", "id-2"], groupIds: [], known: 1 });
    expect(task["pages"]).toMatchObject(["A", "B", "C"].map((id) => ({ url: mail(id) })));
  });

  const groupsOf = (task: Payload, group: (typeof groups)[number]) =>
    withCandidates(task, [tab("https://example.org/a", 5)], [group], desk()).task["groups"];

  test("bring a group with an id that another browser gives it too, but only if it has a name", () => {
    const [one, other] = [desk(), desk()];
    one.newId();
    for (const each of [one, other])
      expect(
        withCandidates({}, [tab("https://example.org/a", 5)], groups, each).task["groups"],
      ).toMatchObject([{ id: "cyan Trip" }]);
    expect(groupsOf({}, { id: 5, title: "", color: "cyan" })).toMatchObject([{ id: "id-1" }]);
  });

  test("bring another group than one that was renamed since", () => {
    const renamed = { id: "cyan Trip", title: "Summer", colour: "cyan" };
    expect(groupsOf({ groups: [renamed] }, { id: 5, title: "Trip", color: "cyan" })).toEqual([
      renamed,
      { id: "id-1", title: "Trip", colour: "cyan" },
    ]);
  });

  test("stay in two groups that look the same, also when more of each is saved later", () => {
    const twins = [...groups, { id: 6, title: "Trip", color: "cyan", collapsed: true }];
    const first = [tab("https://a.example/", 5), tab("https://b.example/", 6)];
    const { task, added } = withCandidates({}, first, twins, desk());
    expect(task["groups"]).toEqual([
      { id: "cyan Trip", title: "Trip", colour: "cyan" },
      { id: "id-1", title: "Trip", colour: "cyan", collapsed: true },
    ]);
    expect(task["pages"]).toMatchObject([{ group: "cyan Trip" }, { group: "id-1" }]);
    expect(added.groupIds).toEqual(["cyan Trip", "id-1"]);
    const more = [...first, tab("https://c.example/", 6)];
    const later = withCandidates(task, more, twins.toReversed(), desk()).task;
    expect(later["groups"]).toEqual(task["groups"]);
    expect(later["pages"]).toMatchObject([{}, {}, { group: "id-1" }]);
  });

  test("leave a group without a name as one group when more of it is saved later", () => {
    const nameless = [{ id: 5, title: "", color: "grey" }];
    const { task } = withCandidates({}, [tab("https://a.example/", 5)], nameless, desk());
    const both = [tab("https://a.example/", 5), tab("https://b.example/", 5)];
    expect(withCandidates(task, both, nameless, desk()).task["groups"]).toEqual(task["groups"]);
  });

  test("mend a task that has two groups of one id", () => {
    const trip = { id: "cyan Trip", title: "Trip", colour: "cyan" };
    const known = { groups: [trip, trip], pages: [{ url: "https://a.example/", group: trip.id }] };
    const another = [{ id: 7, title: "Food", color: "red" }];
    expect(
      withCandidates(known, [tab("https://b.example/", 7)], another, desk()).task,
    ).toMatchObject({ groups: [trip, { id: "red Food", title: "Food", colour: "red" }] });
  });

  test("leave nothing behind when the save is undone, except what others did since", () => {
    const before: Payload = { title: "T", pages: [{ id: "p", url: "https://example.org/" }] };
    const { task, added } = withCandidates(
      before,
      [tab("https://example.org/a", 5)],
      groups,
      desk(),
    );
    expect(withoutAdded(task, added)).toEqual({ ...before, groups: [] });
    const joined = {
      ...task,
      pages: [...(task["pages"] as readonly unknown[]), { id: "q", group: "cyan Trip" }],
    };
    expect(withoutAdded(joined, added)).toEqual({
      ...before,
      pages: [
        { id: "p", url: "https://example.org/" },
        { id: "q", group: "cyan Trip" },
      ],
      groups: [{ id: "cyan Trip", title: "Trip", colour: "cyan" }],
    });
  });
});
