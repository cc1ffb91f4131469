import { expect, test } from "bun:test";
import { withGroupsOf } from "../../src/domain/tasks/groups.ts";
import { taskView } from "../../src/client/views.ts";

const trip = { id: "cyan Trip", title: "Trip", colour: "cyan", odd: 1 };
const tabs = [{ id: "a", group: "cyan Trip" }, { id: "b" }, "https://c.example/"];
const newId = () => "new";

test("Tabs that come to another task bring their groups", () => {
  const from = { groups: [trip, { id: "g", title: "Other" }] };
  expect(withGroupsOf({ title: "T" }, from, tabs, newId)).toEqual({
    task: { title: "T", groups: [trip] },
    tabs,
  });
  expect(withGroupsOf({ groups: [trip] }, from, tabs, newId)).toEqual({
    task: { groups: [trip] },
    tabs,
  });
});

test("A group that comes to a task with another one of its id gets a new id", () => {
  const renamed = { id: "cyan Trip", title: "Summer", colour: "cyan" };
  expect(withGroupsOf({ groups: [renamed] }, { groups: [trip, trip] }, tabs, newId)).toEqual({
    task: { groups: [renamed, { ...trip, id: "new" }] },
    tabs: [{ id: "a", group: "new" }, { id: "b" }, "https://c.example/"],
  });
});

test("Of two groups with one id, a task shows the first", () => {
  const record = {
    id: "t",
    payload: { groups: [trip, { ...trip, title: "Again" }, 7] },
    updatedAt: "2026-03-04T12:00:00.000Z",
    deletedAt: null,
    createdBy: "person",
    createdByKey: null,
    waits: false,
    refused: null,
  } as const;
  expect(taskView(record).groups).toEqual([
    { id: "cyan Trip", title: "Trip", colour: "cyan", collapsed: false },
  ]);
});
