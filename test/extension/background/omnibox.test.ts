import { expect, test } from "bun:test";
import { type TaskView, taskView } from "../../../src/client/views.ts";
import { suggestionsIn } from "../../../src/extension/background/omnibox.ts";

const task = (id: string, title: string, tab: string): TaskView =>
  taskView({
    id,
    payload: { title, pages: [{ id: "tab", url: `https://${id}.example/`, title: tab }] },
    updatedAt: "2026-03-04T12:00:00.000Z",
    deletedAt: null,
    createdBy: "person",
    createdByKey: null,
    waits: false,
    refused: null,
  });

const offered = (tasks: readonly TaskView[], text: string): readonly string[] =>
  suggestionsIn(tasks, text).map(({ description }) => description);

test.each([
  ["Café", "cafe\u0301"],
  ["CAFE\u0301", "café"],
  ["Café", "CAFE"],
])("%s is found by %s: the task that it names first, then the page", (title, text) => {
  const tasks = [task("page", "Trip", title), task("named", title, "Menu")];
  expect(offered(tasks, text)).toEqual([
    `Open 1 tab of “${title}”`,
    `${title}: https://page.example/`,
    "Open 1 tab of “Trip”",
  ]);
});

test("a task and a page whose titles show nothing have a name to read", () => {
  const tasks = [task("boat", "\u200B", "\u3164")];
  expect(offered(tasks, "boat")).toEqual([
    "https://boat.example/: https://boat.example/",
    "Open 1 tab of “Untitled”",
  ]);
});
