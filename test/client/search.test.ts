import { describe, expect, test } from "bun:test";
import { compareHits, marksIn, matchIn, searchHits, wordsOf } from "../../src/client/search.ts";
import { taskView, type TaskView } from "../../src/client/views.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";

const view = (id: string, payload: Readonly<Record<string, unknown>>, at = 0): TaskView =>
  taskView({
    id,
    payload,
    updatedAt: new Date(at).toISOString(),
    deletedAt: null,
    createdBy: "person",
    createdByKey: null,
    waits: false,
    refused: null,
  });

const order = (tasks: readonly TaskView[], query: string): readonly string[] =>
  searchHits(tasks, query)
    .toSorted(compareHits)
    .map(({ task }) => task.id);

const page = (title: string, url = "https://nowhere.example/") => ({ id: title + url, url, title });

describe("A search in the browser", () => {
  test("has open tasks before closed ones, then titles, tags, tabs, notes and addresses", () => {
    const tasks = [
      view("address", { title: "x", pages: [page("y", "https://a.example/porto")] }),
      view("note", { title: "x", notes: [{ text: "to Porto" }] }),
      view("tab", { title: "x", pages: [page("Porto by train")] }),
      view("tag", { title: "x", tags: ["porto"] }),
      view("part", { title: "reporto" }),
      view("beginning", { title: "Portobello" }),
      view("title", { title: "Go to Porto" }),
      view("done", { title: "Porto", status: "done" }),
      view("newer", { title: "Pack for Porto" }, 5),
    ];
    expect(order(tasks, "PORTO")).toEqual([
      "newer",
      "title",
      "beginning",
      "part",
      "tag",
      "tab",
      "note",
      "address",
      "done",
    ]);
  });

  test("says in which tab or note it found what the title does not say", () => {
    const task = view("t", {
      title: "Trip",
      pages: [
        page("Night trains", "https://a.example/x"),
        page("Map", "https://maps.example/oslo"),
      ],
      notes: [{ text: `${"word ".repeat(20)}Ask about the bicycles` }],
    });
    expect(matchIn(task, "trip")).toBeNull();
    expect(matchIn(task, "trip night")).toEqual({ kind: "tab", text: "Night trains" });
    expect(matchIn(task, "oslo")).toEqual({ kind: "tab", text: "https://maps.example/oslo" });
    expect(matchIn(task, "bicycles")).toEqual({
      kind: "note",
      text: "…word Ask about the bicycles",
    });
  });

  test.each([
    ["Café Zürich", "cafe zur", ["Café", "Zür"]],
    ["a-b A/B", "a b", ["a", "b", "A", "B"]],
    ["東京の天気", "東京", ["東京"]],
    ["👩‍👩‍👧 Family", "fam", ["Fam"]],
    ["e\u0301te\u0301", "ete", ["e\u0301te\u0301"]],
    ["nothing", "zzz", []],
  ])("marks in %p what %p found", (text, query, marked) => {
    const marks = marksIn(text, wordsOf(query)).map(([from, to]) => text.slice(from, to));
    expect(marks).toEqual([...marked]);
  });
});

const server = await sharedServer();
const WORDS = ["amber", "birch", "cedar", "daisy"];

const some = (at: number, by: number): string =>
  WORDS.filter((_word, index) => (at >> (index + by)) % 2 === 1).join(" ");

test("The server has the same order", async () => {
  const ann = await newcomer(server);
  const payloads = Array.from({ length: 64 }, (_, at) => ({
    title: `${some(at * 7, 0)} title`,
    pages: [
      page(`${some(at * 5, 1)} tab`, `https://a.example/${some(at * 11, 2).replaceAll(" ", "/")}`),
    ],
    notes: [{ id: "n", text: `${some(at * 3, 1)} note` }],
  }));
  const tasks: TaskView[] = [];
  for (const [at, payload] of payloads.entries()) {
    const id = `t${at}`;
    const body = [change("sync_tasks", id, payload)];
    expect((await server.call("POST", "/sync", { token: ann.session, body })).json.applied).toBe(1);
    tasks.push(view(id, payload, at));
    server.clock.advance(1);
  }
  for (const query of ["amber", "birch cedar", "dai", "amber birch daisy", "ced amb"]) {
    const { json } = await server.call("GET", `/tasks?limit=100&q=${query.replaceAll(" ", "+")}`, {
      token: ann.session,
    });
    const found = json.tasks.map(({ id }: { readonly id: string }) => id);
    expect(found.length).toBeGreaterThan(5);
    expect([query, order(tasks, query)]).toEqual([query, found]);
  }
});
