import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "bun:test";
import { setPlan } from "../../src/db/people/accounts.ts";
import { listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import { DAY, HOUR } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { startServer } from "../support/server.ts";
import { makeKey } from "../support/web/keys.ts";
import { linkTo } from "../support/web/past.ts";
import { type Seen, someoneSignedIn } from "../support/web/visitor.ts";

type Entry = { readonly url: string; readonly headers: Record<string, string> };

const server = await sharedServer();
const { call, clock, store } = server;

const READ_ONLY = { name: "helper", read: "yes", where: "account", expires: "90d" };

/** The secret that a page shows; empty if it shows none. */
const secretIn = (seen: Seen): string => /docket_live_\w{38}/.exec(seen.text)?.[0] ?? "";

const keysOf = ({ account }: { readonly account: { readonly id: number } }) =>
  listKeys(store, account.id);

test("the form starts with a key that can only read, for 90 days", async () => {
  const ann = await someoneSignedIn(server);
  const list = await ann.get("/account/keys");
  expect([list.status, list.text]).toEqual([
    200,
    expect.stringContaining("You have no API keys yet."),
  ]);
  expect(linkTo(list, "New key")).toBe("/account/keys/new");
  const { status, html } = await ann.get("/account/keys/new");
  expect(status).toBe(200);
  expect(html).toMatch(/<input type="checkbox" name="read" value="yes" checked/);
  expect(html).toMatch(/<input type="checkbox" name="write" value="yes"\/>/);
  expect(html).toContain('<option value="90d" selected');
  expect(html).not.toContain('name="password"');
});

test("a new key is shown once, works as chosen, and is listed by its hint", async () => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.post("/account/keys", { ...READ_ONLY, name: " helper " });
  const secret = secretIn(seen);
  expect([seen.status, seen.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(seen.html).toContain(`<code class="copy">${secret}</code>`);
  expect(seen.text).toContain("can read, until 2 June 2026, 12:00 UTC");
  const me = await call("GET", "/me", { token: secret });
  expect([me.status, me.json.scopes, me.json.expires_at]).toEqual([
    200,
    ["read"],
    "2026-06-02T12:00:00.000Z",
  ]);
  const [key] = await keysOf(ann);
  expect([key?.name, key?.scopes]).toEqual(["helper", ["read"]]);
  for (const path of ["/account/keys", `/account/keys?made=${key?.id}`, "/account"]) {
    const again = await ann.get(path);
    expect(again.html).not.toContain(secret.slice(16, -4));
  }
  expect((await ann.get("/account/keys")).text).toContain(`${secret.slice(0, 16)}…`);
});

test.each([
  ["7d", 7 * DAY],
  ["30d", 30 * DAY],
  ["365d", 365 * DAY],
  ["never", null],
])("a key can be created for %s, with both scopes", async (expires, lifetime) => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.post("/account/keys", { ...READ_ONLY, write: "yes", expires });
  const [key] = await keysOf(ann);
  expect([seen.status, key?.scopes, key?.expiresAt]).toEqual([
    200,
    ["read", "write"],
    lifetime === null ? null : clock.wall() + lifetime,
  ]);
  if (lifetime === null) expect(seen.text).toContain("can read and write, until you revoke it.");
});

test("what is shown with a new key can be pasted as it is", async () => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.post("/account/keys", { ...READ_ONLY, write: "yes" });
  const secret = secretIn(seen);
  const api = `${server.url}/api/public/v1`;
  expect(seen.text).toContain(`export DOCKET_URL=${server.url} export DOCKET_API_KEY=${secret}`);
  expect(seen.text).toContain(`curl -sS -H 'Authorization: Bearer ${secret}' '${api}/tasks'`);
  expect(seen.text).toContain(
    `curl -sS -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' ` +
      `-d '[{"url": "https://example.org/"}]' '${api}/inbox/tabs'`,
  );
  expect(seen.text).toContain(`Its API is at ${api} and`);
  expect(seen.text).toContain("You can make at most 60 calls a minute and 600 an hour");
});

test("an MCP client gets in with what is shown for it", async () => {
  const ann = await someoneSignedIn(server);
  const seen = await ann.post("/account/keys", READ_ONLY);
  const [settings = ""] = /\{ "mcpServers".*?\} \} \} \}/.exec(seen.text) ?? [];
  const { url, headers } = (JSON.parse(settings) as { mcpServers: { docket: Entry } }).mcpServers
    .docket;
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  const { structuredContent } = await client.callTool({ name: "list_folders", arguments: {} });
  expect(structuredContent).toMatchObject({ folders: [] });
  await client.close();
});

test("a key that can only write is tried with a call that it may make", async () => {
  const ann = await someoneSignedIn(server);
  const { name, where, expires } = READ_ONLY;
  const seen = await ann.post("/account/keys", { name, where, expires, write: "yes" });
  expect(seen.text).toContain(`'${server.url}/api/public/v1/me'`);
  expect(seen.text).not.toContain("/tasks'");
  expect(seen.text).not.toContain("lists the open tasks");
});

test("what is pasted uses the public address, if there is one", async () => {
  const publicUrl = new URL("https://docket.example/");
  const open = await startServer({ settings: { publicUrl } });
  const ann = await someoneSignedIn(open);
  const seen = await ann.post("/account/keys", READ_ONLY);
  expect(seen.text).toContain("export DOCKET_URL=https://docket.example export");
  expect(seen.text).toContain("'https://docket.example/api/public/v1/tasks'");
  expect(seen.text).not.toContain(open.url);
  await open.stop();
});

test("an account that is not on Pro sees its keys, and why it cannot create any", async () => {
  const ann = await someoneSignedIn(server);
  const { key } = await makeKey(server, ann.account.id, "old helper");
  await setPlan(
    store,
    ann.account.email,
    { plan: "free", until: null, source: null },
    clock.wall(),
  );
  const why =
    "API keys need the Pro plan, and your account is on the free plan. You cannot create keys";
  const seen = await ann.get("/account/keys");
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining(why)]);
  expect(seen.text).toContain("old helper");
  expect(linkTo(seen, "New key")).toBe("");
  const form = await ann.get("/account/keys/new");
  expect([form.status, form.text]).toEqual([200, expect.stringContaining(why)]);
  for (const { html } of [seen, form]) expect(html).not.toContain('action="/account/keys"');
  expect(seen.html).not.toContain(`/account/keys/${key.id}/replace`);
  const refused = await ann.post("/account/keys", READ_ONLY);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(why)]);
  expect(await keysOf(ann)).toEqual([key]);
});

test("the list shows the status of each key, active keys first", async () => {
  const ann = await someoneSignedIn(server);
  const { key: live } = await makeKey(server, ann.account.id, "alpha");
  await makeKey(server, ann.account.id, "beta", clock.wall() + HOUR);
  clock.advance(2 * HOUR);
  const { key: revoked } = await makeKey(server, ann.account.id, "gamma");
  await revokeKey(store, ann.account.id, revoked.id, clock.wall());
  const { html, text } = await ann.get("/account/keys");
  const rows = html.split("<tr>").slice(2);
  expect(rows.map((row) => /alpha|beta|gamma/.exec(row)?.[0])).toEqual(["alpha", "gamma", "beta"]);
  expect(rows.map((row) => /class="badge \w+">(\w+)</.exec(row)?.[1])).toEqual([
    "active",
    "revoked",
    "expired",
  ]);
  expect(rows.map((row) => row.includes("Revoke"))).toEqual([true, false, false]);
  expect(text).toContain(
    `alpha ${live.hint} read and write active 4 March 2026, 12:00 UTC never never`,
  );
});

test("a key's name is shown as text", async () => {
  const ann = await someoneSignedIn(server);
  await makeKey(server, ann.account.id, `"><script>alert(1)</script>`);
  const { html, text } = await ann.get("/account/keys");
  expect(text).toContain(`"><script>alert(1)</script>`);
  expect(html).not.toContain("<script>alert");
  expect(html.match(/<script/g)).toHaveLength(1);
});

test("an account sees none of another's keys", async () => {
  const ann = await someoneSignedIn(server);
  const bob = await someoneSignedIn(server, "bob");
  const { key } = await makeKey(server, ann.account.id, "ann's helper");
  const { text } = await bob.get(`/account/keys?revoked=${key.id}`);
  expect(text).toContain("You have no API keys yet.");
  expect(text).not.toContain("helper");
});
