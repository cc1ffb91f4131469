import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { TABLES } from "../../src/domain/base/record.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { eventually, useDesk, type withOthers } from "../support/app/desk.ts";
import {
  editForAnHour,
  setLag,
  SLOW_CLOCK,
  startPayload,
  startRecords,
} from "../support/app/hour.ts";

type Others = Awaited<ReturnType<typeof withOthers>>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What the app's own store holds: each record as the server has it, and nothing that waits. */
const STORE = `(async () => {
  const [{ name }] = await indexedDB.databases();
  const db = await new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
  });
  const rows = await new Promise((resolve) => {
    const all = db.transaction("rows").objectStore("rows").getAll();
    all.onsuccess = () => resolve(all.result);
  });
  db.close();
  return rows.map(({ table, id, server, edit }) => ({ table, id, server, edit }));
})()`;

type Stored = {
  readonly table: string;
  readonly id: string;
  readonly server: {
    readonly payload: Readonly<Record<string, unknown>>;
    readonly deletedAt: string | null;
  } | null;
  readonly edit: unknown;
};

/** What others do in the same hour: one edits and deletes on a laptop, an agent files by REST. */
const othersAct = async ({ device, agent }: Others, start: string): Promise<void> => {
  const updated_at = formatInstant(Date.now() - HOUR / 2);
  const early = formatInstant(Date.now() - HOUR + 5 * MINUTE);
  const record = (id: string, payload: object, more: object) => ({
    table: "sync_tasks",
    id,
    updated_at,
    base_updated_at: start,
    payload,
    ...more,
  });
  const changed = (id: string, more: object, rest: object = {}) =>
    record(id, { ...startPayload(id), ...more }, rest);
  const { pages } = startPayload("l");
  const pushed = await device("POST", "/sync", [
    changed("k", { title: "Renamed on the laptop", status: "done" }),
    changed("l", { pages: [...pages, { id: "far", url: "https://far.example/" }] }),
    changed("m", {}, { deleted_at: updated_at }),
    changed("new", { title: "Made on the laptop" }, { base_updated_at: undefined }),
    // Ann edits these two later than the laptop does: hers is the last word of the two devices.
    { ...changed("a", { title: "The laptop's name for it" }), updated_at: early },
    changed("f", {}, { deleted_at: updated_at }),
  ]);
  expect(pushed.json).toMatchObject({ invalid: [], rejected: [] });
  await agent("POST", "/tasks/a/tabs", [
    { url: "https://agent.example/", title: "From the agent" },
  ]);
  await agent("POST", "/tasks/b/notes", { text: "A remark of the agent" });
  await agent("PATCH", "/tasks/e", { status: "in_review" });
  await agent("POST", "/tasks", { title: "Made by the agent" });
  await agent("POST", "/inbox/tabs", [{ url: "https://filed.example/", title: "Filed" }]);
};

/** The journey, in a browser whose owner is signed in and whose clock is an hour back. */
const anHourOffline = async (page: Page, others: Others): Promise<void> => {
  const { device, agent, url, command } = others;
  const start = formatInstant(Date.now() - 2 * HOUR);
  expect((await device("POST", "/sync", startRecords(start))).status).toBe(200);
  await page.goto(`${url}/tasks/open`);
  const shows = (words: string) =>
    eventually(
      () => page.evaluate<boolean>(`document.body.textContent.includes("${words}")`),
      words,
    );
  await shows("Task j");
  await shows("All saved");
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.goto(`${url}/tasks/open`);
  await shows("All saved");
  await page.context().setOffline(true);
  const texts = await editForAnHour(page);
  await othersAct(others, start);
  await page.goto(`${url}/tasks/open`);
  await shows("to send");
  await setLag(page, 0);
  await page.context().setOffline(false);
  await shows("All saved");

  const pulled = (await device("GET", "/sync")).json.changes;
  const there = TABLES.flatMap((table) =>
    pulled[table].map((row: { id: string; payload: object; deleted_at: string | null }) => [
      `${table} ${row.id}`,
      { payload: row.payload, deletedAt: row.deleted_at },
    ]),
  );
  const here = async () =>
    (await page.evaluate<readonly Stored[]>(STORE)).map(({ table, id, server, edit }) => [
      `${table} ${id}`,
      edit === null && server && { payload: server.payload, deletedAt: server.deletedAt },
    ]);
  expect(Object.fromEntries(await here())).toEqual(Object.fromEntries(there));

  const { tasks } = (await agent("GET", "/tasks?limit=200")).json;
  const listed = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll(".row .title")].map((one) => one.textContent)`,
  );
  const open = tasks.filter(
    ({ title, status }: { title: string; status: string }) =>
      title !== "Agent unsorted" && status !== "done",
  );
  expect(listed.toSorted()).toEqual(open.map(({ title }: { title: string }) => title).toSorted());

  const everything = JSON.stringify(pulled);
  // Her words follow the laptop's in the one title that both changed.
  const merged = "Task a on the way";
  expect(texts.filter((text) => !everything.includes(text))).toEqual([merged]);
  expect((await agent("GET", "/tasks/a")).json).toMatchObject({
    title: "The laptop's name for it on the way",
    status: "in_progress",
    due: "2031-05-06",
    tags: ["rail", "tunnel"],
  });
  const tabs = (await agent("GET", "/tasks/a")).json.tabs.map((tab: { url: string }) => tab.url);
  expect(tabs.toSorted()).toEqual([
    "https://a1.example/",
    "https://a2.example/",
    "https://a3.example/",
    "https://added-a.example/",
    "https://agent.example/",
  ]);
  expect((await agent("GET", "/tasks/b")).json).toMatchObject({ note_count: 3, tab_count: 4 });
  expect((await agent("GET", "/tasks/e")).json).toMatchObject({
    title: "Task e on the way",
    status: "in_review",
    tab_count: 4,
  });
  expect((await agent("GET", "/tasks/f")).json).toMatchObject({ tab_count: 3, note_count: 0 });
  expect((await agent("GET", "/tasks/g")).json.folder).toEqual(expect.any(String));
  expect((await agent("GET", "/tasks/h")).json.status).toBe("todo");
  expect((await agent("GET", "/tasks/i")).status).toBe(404);
  expect((await agent("GET", "/tasks/j")).status).toBe(200);
  expect((await agent("GET", "/tasks/k")).json).toMatchObject({
    title: "Renamed on the laptop",
    status: "done",
  });
  expect((await agent("GET", "/tasks/l")).json.tab_count).toBe(4);
  expect((await agent("GET", "/tasks/m")).status).toBe(404);
  // What was not the last word is in the task's history.
  expect(await command("history", "a")).toContain("Task a -> The laptop's name for it");
};

inBrowser("In Chromium, an hour without a network", () => {
  const desk = useDesk();

  test("and 50 edits, while a laptop and an agent work on: afterwards all three have the same, and all of it", async () => {
    await desk.context.addInitScript(SLOW_CLOCK);
    await anHourOffline(desk.page, desk);
  });
});
