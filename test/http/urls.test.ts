import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer, tab } from "../support/replies.ts";

const server = await sharedServer();
const { call } = server;
const ann = await newcomer(server);
const key = await ann.key();
const task = (await call("POST", "/tasks", { token: ann.session, body: { title: "t" } })).json.id;

const WEB = "must be a full http:// or https:// address";
const SPACES = "must not contain spaces or control characters. Percent-encode them";
const USER = "must not contain a user name or password";

const REFUSED: readonly (readonly [string, string])[] = [
  ["javascript:alert(1)", WEB],
  ["JaVaScRiPt:alert(1)", WEB],
  ["java\nscript:alert(1)", SPACES],
  ["java\tscript:alert(1)", SPACES],
  ["\u0001javascript:alert(1)", SPACES],
  ["https://a.example/\u0000", SPACES],
  ["https://a.example/a b", SPACES],
  ["https://a.example/\u00a0x", SPACES],
  ["https://a.example/\u2028x", SPACES],
  ["ht\ntps://a.example/", SPACES],
  ["data:text/html,<script>alert(1)</script>", WEB],
  ["vbscript:x", WEB],
  ["file:///etc/passwd", WEB],
  ["blob:https://a.example/1", WEB],
  ["view-source:https://a.example/", WEB],
  ["about:blank", WEB],
  ["ftp://a.example/", WEB],
  ["ws://a.example/", WEB],
  ["chrome://settings", WEB],
  ["mailto:ann@example.org", WEB],
  ["//a.example/", WEB],
  ["/relative", WEB],
  ["a.example", WEB],
  ["http:a.example", WEB],
  ["https:/a.example", WEB],
  ["https:\\\\a.example", WEB],
  ["https://", WEB],
  ["https://[::1", WEB],
  ["https://a.example:99999/", WEB],
  ["https://user@a.example/", USER],
  ["https://user:secret@a.example/", USER],
  ["https://:secret@a.example/", USER],
  ["https://a.example@evil.example/", USER],
  ["https://a.example%40@evil.example/", USER],
];

test.each(REFUSED)("A key may not file %j", async (url, problem) => {
  const good = { url: "https://good.example/" };
  // NUL is already refused as text, before it is read as an address.
  const [status, error] = url.includes("\0")
    ? ([400, "The body contains a NUL character."] as const)
    : ([422, `The url of tab 1 ${problem}.`] as const);
  const asks: readonly (readonly [string, unknown])[] = [
    [`/tasks/${task}/tabs`, [good, { url, title: "x" }]],
    ["/inbox/tabs", [good, { url }]],
    ["/tasks", { title: "t", tabs: [good, { url }] }],
  ];
  for (const [path, body] of asks) {
    server.clock.advance(1_000);
    expectRefusal(await call("POST", path, { token: key, body }), status, error);
  }
  const { json } = await call("GET", "/tasks", { token: ann.session });
  expect(json.tasks).toMatchObject([{ id: task, tab_count: 0 }]);
});

test.each([
  ["https://a.example/"],
  ["HTTPS://A.Example:8443/?q=%20#frag"],
  ["http://192.168.1.1/"],
  ["http://[::1]:3625/"],
  ["https://bücher.example/ü"],
  ["https://xn--bcher-kva.example/"],
  ["https://a.example/<script>alert(1)</script>"],
  ["https://a.example/?next=javascript:alert(1)"],
  ["https://a.example/user@host:1"],
])("A key may file %s, and it is stored as sent", async (url) => {
  const bob = await newcomer(server, "bob");
  const token = await bob.key();
  const { json } = await call("POST", "/inbox/tabs", { token, body: [{ url }] });
  expect(json.tabs).toMatchObject([{ url, title: url }]);
  const list = await call("GET", `/tasks?${new URLSearchParams({ url })}`, { token });
  expect(list.json.tasks).toHaveLength(1);
});

test("A person's own device may store any address that a browser opens", async () => {
  const bob = await newcomer(server, "bob");
  const urls = [
    "about:config",
    "javascript:void 0",
    "file:///home/bob/a b.html",
    "chrome://settings",
  ];
  const body = urls.map((url) => ({ url }));
  const filed = await call("POST", "/inbox/tabs", { token: bob.session, body });
  const at = new Date(server.clock.wall()).toISOString();
  expect(filed.json.tabs).toEqual(urls.map((url) => tab({ url, title: url, created_at: at })));
  const pages = [...urls, "https://u:p@a.example/", "\0", "x".repeat(10_000)].map((url) => ({
    url,
  }));
  const pushed = await call("POST", "/sync", {
    token: bob.session,
    body: [change("sync_tasks", "t", { title: "t", pages })],
  });
  expect(pushed.json.applied).toBe(1);
  const { json } = await call("GET", "/sync", { token: bob.session });
  const rows = json.changes.sync_tasks as { id: string; payload: unknown }[];
  expect(rows.find(({ id }) => id === "t")?.payload).toEqual({ title: "t", pages });
});

test("Text that would be markup elsewhere is plain text here", async () => {
  const bob = await newcomer(server, "bob");
  const hostile = `</script><svg onload=alert(1)>'"--><!--\u202Egnp.exe\u{E0041}=cmd|' /C calc'!A0`;
  const body = { title: hostile, colour: "<b>", status: hostile.slice(0, 40), notes: [hostile] };
  const made = await call("POST", "/tasks", { token: bob.session, body });
  expect(made.headers.get("content-type")).toBe("application/json;charset=utf-8");
  expect(made.json).toMatchObject({ title: hostile, notes: [{ text: hostile }] });
  const folder = await call("POST", "/projects", { token: bob.session, body: { name: hostile } });
  expect(folder.json.name).toBe(hostile);
});
