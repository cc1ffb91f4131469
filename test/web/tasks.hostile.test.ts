import { expect, test } from "bun:test";
import { change, sharedServer } from "../support/replies.ts";
import { formatInstant, MINUTE } from "../../src/domain/base/instant.ts";
import { someoneWithAPast } from "../support/web/past.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";
import { pushChanges } from "../support/rules.ts";

const server = await sharedServer();
const { clock, store } = server;

/** The page of a task with this payload. */
const pageOf = async (payload: unknown) => {
  const ann = await someoneSignedIn(server);
  await pushChanges(
    store,
    ann.account.id,
    null,
    [change("sync_tasks", "t", payload)],
    clock.wall(),
  );
  return ann.get("/account/tasks/t");
};

/** Where the links of the page's tabs lead to. */
const tabLinks = (html: string): readonly (string | undefined)[] =>
  [...html.matchAll(/<a href="([^"]*)" title="[^"]*" target="_blank"/g)].map(([, href]) => href);

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "  javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "java\nscript:alert(1)",
  "javascript://a.example/%0Aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://a.example/1",
  "view-source:https://a.example/",
  "chrome://settings",
  "ftp://a.example/",
  "about:blank",
  "//a.example/",
  "/account/keys",
  "https:",
  "https://",
  "http://[",
  '"><script>alert(1)</script>',
  "",
])("%j is shown and never linked", async (url) => {
  const { status, html, text } = await pageOf({ title: "t", pages: [{ url, title: "Click me" }] });
  expect([status, tabLinks(html)]).toEqual([200, []]);
  expect(text).toContain("Click me not a web address");
  expect(html).not.toMatch(/<script>|href="(?!\/|#)/);
});

test.each([
  ["https://user:pw@evil.example/", "https://user:pw@evil.example/", "evil.example"],
  ["https://bank.example@evil.example/", "https://bank.example@evil.example/", "evil.example"],
  [" \thttps://a.example/x\ny", "https://a.example/xy", "a.example"],
  ["https:\\\\a.example\\b", "https://a.example/b", "a.example"],
  ["HTTP://A.EXAMPLE:81", "http://a.example:81/", "a.example:81"],
  ["https://аpple.example/", "https://xn--pple-43d.example/", "xn--pple-43d.example"],
  ['https://a.example/"onclick="x', "https://a.example/%22onclick=%22x", "a.example"],
  ["https://a.example/\u202Egnp", "https://a.example/%E2%80%AEgnp", "a.example"],
])("%j is linked to where it leads, with that host", async (url, href, host) => {
  const { html } = await pageOf({ title: "t", pages: [{ url, title: "https://bank.example/" }] });
  expect(tabLinks(html)).toEqual([href]);
  expect(html).toContain(`<strong>${host}</strong>`);
  expect(html).toContain('rel="noopener noreferrer"');
});

test("titles, notes, statuses and colours that others chose are shown as text", async () => {
  const evil = `</title></script><script>alert(1)</script><img src=x onerror=alert(2)>\u202Egnp\u0007`;
  const { status, html, text } = await pageOf({
    title: evil,
    status: evil,
    colour: "red;background:url(https://evil.example/)",
    pages: [{ url: "https://a.example/", title: evil }],
    notes: [{ text: evil }, "\u2066\u0000"],
  });
  expect(status).toBe(200);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<img|style=/);
  expect(html).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
  const shown = `</title></script><script>alert(1)</script><img src=x onerror=alert(2)>\uFFFDgnp\uFFFD`;
  // In the page title, the heading, the status, the tab and the note.
  expect(text.split(shown)).toHaveLength(6);
});

test("a folder's name is shown as text", async () => {
  const ann = await someoneSignedIn(server);
  const name = `<script>alert(1)</script>\u202E`;
  const changes = [
    change("sync_projects", "f", { name, colour: name }),
    change("sync_tasks", "t", { title: name, status: name.slice(0, 20), project_id: "f" }),
  ];
  await pushChanges(store, ann.account.id, null, changes, clock.wall());
  for (const path of ["/account/folders/f", "/account/tasks/t"]) {
    const { status, html, text } = await ann.get(path);
    expect([status, html.match(/<script/g)?.length]).toEqual([200, 1]);
    expect(html).not.toContain("\u202E");
    expect(text).toContain("<script>alert(1)</script>\uFFFD");
  }
});

test.each([
  ["empty", ""],
  ["blank", " \u3000\t"],
  ["invisible", "\u200B\u2060\uFEFF"],
  ["steering", "\u202E\u2066"],
])(
  "on every page, a title or name that is %s reads Untitled, Unnamed folder or bucket",
  async (_how, nothing) => {
    const { person: ann, laptop, helper, helps } = await someoneWithAPast(server);
    await laptop.push("f", { name: nothing }, {}, "sync_projects");
    await laptop.push("b", { name: nothing }, {}, "sync_buckets");
    await laptop.push("t", { title: "Trip", project_id: "f", bucket_id: "b" });
    clock.advance(MINUTE);
    expect((await helps("PATCH", "/tasks/t", { title: "Seen", folder: null })).status).toBe(200);
    clock.advance(MINUTE);
    const pages = [{ url: "https://a.example/", title: nothing }];
    // It names the version that it edits: else a title that the task has had before counts as left alone.
    const { json } = await helps("GET", "/tasks/t", undefined);
    const base = { base_updated_at: json.updated_at };
    await laptop.push("t", { title: nothing, project_id: "f", pages }, base);
    const history = await ann.get("/account/tasks/t/history");
    const restore = /href="([^"]*restore[^"]*)"/.exec(history.html)?.[1] ?? "";
    const alive: readonly (readonly [string, string])[] = [
      ["/account/tasks/t", "Untitled Open this task"],
      ["/account/tasks/t", "Folder Unnamed folder"],
      ["/account/tasks/t", "https://a.example/ a.example"],
      ["/account/folders/f", "Unnamed folder Open this folder"],
      ["/account/folders/f", "Untitled To do"],
      ["/account/tasks/t/history", "History of Untitled"],
      ["/account/tasks/t/history", "Title from Seen to Untitled"],
      ["/account/tasks/t/history", "Folder from nothing to Unnamed folder"],
      ["/account/tasks/t/history", "Bucket from Unnamed bucket to nothing"],
      ["/account/tasks/t/history", "Tab added https://a.example/ Restore"],
      [restore, "“ Untitled ”, as it was before this change"],
      [`/account/keys/${helper.key.id}/undo?since=24h`, "Task Untitled"],
      ["/account/activity", "Untitled · Open"],
      ["/account/keys/new", "Unnamed folder"],
    ];
    for (const [path, words] of alive) expect((await ann.get(path)).text).toContain(words);
    for (const [table, id] of [
      ["sync_tasks", "t"],
      ["sync_projects", "f"],
      ["sync_buckets", "b"],
    ] as const) {
      clock.advance(MINUTE);
      await laptop.push(id, {}, { deleted_at: formatInstant(clock.wall()) }, table);
    }
    const deleted = await ann.get("/account/deleted");
    expect(deleted.text).toContain("Unnamed bucket bucket deleted");
    expect(deleted.text).toContain("Unnamed folder folder deleted");
    expect(deleted.text).toContain("Untitled task deleted");
    expect(deleted.html).toContain('aria-label="Restore Untitled"');
    await ann.post("/account/deleted/restore", { kind: "task", id: "t" });
    const back = await ann.get("/account/deleted?restored=task:t");
    expect(back.text).toContain("The task Untitled is restored.");
  },
);
