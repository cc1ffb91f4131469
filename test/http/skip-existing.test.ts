import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";
import { agent } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
const { call } = server;

const PAGES = [
  { id: "x", url: "https://x.example/a?utm_source=news&q=1#top", title: "X" },
  "https://y.example/",
];

/** Ann with a task of two tabs, and a key of hers. */
const annWithTabs = async () => {
  const ann = await newcomer(server);
  const body = [change("sync_tasks", "t", { title: "t", pages: PAGES })];
  await call("POST", "/sync", { token: ann.session, body });
  const key = await ann.key();
  const file = (tabs: readonly object[], path = "/tasks/t/tabs", token = key) =>
    call("POST", `${path}?skip_existing=true`, { token, body: tabs });
  const urls = async (id = "t"): Promise<readonly string[]> =>
    (await call("GET", `/tasks/${id}`, { token: key })).json.tabs.map(
      (tab: { url: string }) => tab.url,
    );
  return { ann, key, file, urls };
};

test("An address that the task holds is not filed again, and the reply has the tab that is there", async () => {
  const { file, urls } = await annWithTabs();
  const filed = await file([
    { url: "https://x.example/a?q=1", title: "Again" },
    { url: "https://new.example/" },
    { url: "https://y.example/#part" },
    { url: "https://new.example/?fbclid=1" },
    { url: "https://x.example/a?q=2" },
  ]);
  expect(filed.status).toBe(201);
  expect(filed.json.tabs).toMatchObject([
    { id: "x", title: "X", created_by: "person", existing: true },
    { url: "https://new.example/", created_by: "agent" },
    { id: null, url: "https://y.example/", existing: true },
    { url: "https://new.example/", existing: true },
    { url: "https://x.example/a?q=2", created_by: "agent" },
  ]);
  expect(filed.json.tabs[1]).not.toHaveProperty("existing");
  expect((await urls()).slice(2)).toEqual(["https://new.example/", "https://x.example/a?q=2"]);
});

test("If all are there, nothing is written", async () => {
  const { ann, file } = await annWithTabs();
  const pulled = async (): Promise<unknown> =>
    (await call("GET", "/sync", { token: ann.session })).json.changes;
  const before = await pulled();
  const filed = await file([{ url: "https://y.example/" }]);
  expect([filed.status, filed.json.tabs.length]).toEqual([201, 1]);
  expect(await pulled()).toEqual(before);
});

test("The inbox is looked at in the same way, also before there is one", async () => {
  const { file } = await annWithTabs();
  const url = "https://loose.example/";
  const first = await file([{ url }], "/inbox/tabs");
  expect([first.status, first.json.task.tab_count]).toEqual([201, 1]);
  const again = await file([{ url: `${url}#x` }, { url: "https://two.example/" }], "/inbox/tabs");
  expect(again.json.task).toMatchObject({ id: first.json.task.id, tab_count: 2 });
  expect(again.json.tabs).toMatchObject([{ url, existing: true }, { url: "https://two.example/" }]);
});

test("Without it, or with false, each is filed", async () => {
  const { key, urls } = await annWithTabs();
  const body = [{ url: "https://y.example/" }];
  for (const query of ["", "?skip_existing=false"])
    expect((await call("POST", `/tasks/t/tabs${query}`, { token: key, body })).status).toBe(201);
  expect(await urls()).toHaveLength(4);
  const odd = await call("POST", "/tasks/t/tabs?skip_existing=yes", { token: key, body });
  expectRefusal(odd, 422, "Query parameter skip_existing must be true or false.");
});

test("A key that cannot read cannot ask in this way what is there, over REST or MCP", async () => {
  const { ann, file, urls } = await annWithTabs();
  const writer = await ann.key(["write"], "writer");
  const tabs = [{ url: "https://y.example/" }, { url: "https://new.example/" }];
  for (const path of ["/tasks/t/tabs", "/inbox/tabs"])
    expectRefusal(await file(tabs, path, writer), 403, SAYS.lacks("read"));
  const asked = { task_id: "t", tabs, skip_existing: true };
  expect((await agent(server, writer).use("file_tabs", asked)).error).toBe(SAYS.lacks("read"));
  expect(await urls()).toHaveLength(2);
});

test("Over MCP, file_tabs says how many were filed", async () => {
  const { key } = await annWithTabs();
  const tabs = [{ url: "https://y.example/" }, { url: "https://new.example/" }];
  const filed = await agent(server, key).does("file_tabs", {
    task_id: "t",
    tabs,
    skip_existing: true,
  });
  expect(filed).toMatchObject({ task: { tab_count: 3 }, tabs_filed: 1 });
});
