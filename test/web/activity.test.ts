import { expect, test } from "bun:test";
import { recordCall } from "../../src/db/calls/activity.ts";
import { revokeKey } from "../../src/db/people/api-keys.ts";
import { replaceKey } from "../../src/db/people/replacement.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { change, sharedServer, V1 } from "../support/replies.ts";
import { someoneWithKeys } from "./_keys.ts";
import type { Seen } from "./_visitor.ts";
import { pushChanges } from "../support/rules.ts";

const server = await sharedServer();
const { call, clock, store } = server;

/** The text of each row of the list. */
const rowsOf = ({ html }: Seen): readonly string[] =>
  (html.split('<caption class="quiet-text">Calls by your keys')[1] ?? "")
    .split("<tr>")
    .slice(2)
    .map((row) =>
      row
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll("&lt;", "<")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );

/** The address of the link with this text. */
const linkIn = ({ html }: Seen, text: string): string | null =>
  new RegExp(`<a href="([^"]*)">${text}</a>`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? null;

test("each call of a key is listed in words, newest first, with the task or folder it touched", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  const token = helper.secret;
  const tail = helper.key.hint.slice(-5);
  const tabs = [{ url: "https://a.example/" }];
  const headers = { "user-agent": "scout/1.2" };
  const made = await call("POST", "/inbox/tabs", { token, body: tabs, headers });
  clock.advance(MINUTE);
  await call("GET", "/tasks?secret=1", { token, headers });
  await call("GET", "/tasks/none", { token, headers });
  const seen = await ann.get("/account/activity");
  expect([seen.status, rowsOf(seen)]).toEqual([
    200,
    [
      `4 March 2026, 12:01 UTC helper ${tail} GET ${V1}/tasks/{id} Refused: not found 404 task none not found scout/1.2`,
      `4 March 2026, 12:01 UTC helper ${tail} GET ${V1}/tasks Done 200 none scout/1.2`,
      `4 March 2026, 12:00 UTC helper ${tail} POST ${V1}/inbox/tabs Done 201 task Agent unsorted Open scout/1.2`,
    ].map((row) => expect.stringContaining(row) as string),
  ]);
  expect(seen.html).toContain(`<a href="/account/tasks/${made.json.task.id}"><bdi>Agent unsorted`);
  expect(seen.html).toContain(`<a href="/account/activity?key=${helper.key.id}"><bdi>helper`);
});

test("a refused delete is named as one, and many within a minute share a row", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  for (const method of ["DELETE", "DELETE", "PUT", "PATCH"])
    await call(method, "/me", { token: helper.secret });
  const rows = rowsOf(await ann.get("/account/activity"));
  expect(rows).toEqual(
    [
      "PATCH /api/public/v1/me Refused: method not allowed 405",
      "PUT /api/public/v1/me Overwrite refused 405",
      "DELETE /api/public/v1/me 2 times within one minute, most recently at this time Delete refused 405",
    ].map((row) => expect.stringContaining(row) as string),
  );
});

test("a dry run is shown as one", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  const ask = (title: string) =>
    call("POST", "/tasks?dry_run=true", { token: helper.secret, body: { title } });
  await ask("t");
  await ask("");
  await call("POST", "/tasks", { token: helper.secret, body: { title: "t" } });
  const rows = rowsOf(await ann.get("/account/activity"));
  expect(rows).toEqual(
    [
      `POST ${V1}/tasks Done 201 task t`,
      `POST ${V1}/tasks dry run Refused: invalid 422 none`,
      `POST ${V1}/tasks dry run Would succeed 200 none`,
    ].map((row) => expect.stringContaining(row) as string),
  );
});

test("a new folder and a task with an odd id link to their pages, the task to the app too", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  const token = helper.secret;
  const folder = await call("POST", "/projects", { token, body: { name: "Home" } });
  const id = "a:b/c?d#e f%2F&amp;";
  await pushChanges(
    store,
    ann.account.id,
    null,
    [change("sync_tasks", id, { title: "odd" })],
    clock.wall(),
  );
  await call("GET", `/tasks/${encodeURIComponent(id)}`, { token });
  const { html } = await ann.get("/account/activity");
  expect(html).toContain(`folder <a href="/account/folders/${folder.json.id}"><bdi>Home</bdi></a>`);
  const path = `/account/tasks/${encodeURIComponent(id)}`.replaceAll("&", "&amp;");
  expect(html).toContain(`task <a href="${path}"><bdi>odd</bdi></a>`);
  const inApp = `/tasks/open?task=${encodeURIComponent(id)}`.replaceAll("&", "&amp;");
  expect(html).toContain(`<a href="${inApp}" aria-label="Open odd">Open</a>`);
  expect((await ann.get(`/account/tasks/${encodeURIComponent(id)}`)).status).toBe(200);
});

test("the list is filtered by key and by outcome, and its next pages keep the filter", async () => {
  const { person: ann, make, helper } = await someoneWithKeys(server);
  const other = await make("other");
  const row = {
    accountId: ann.account.id,
    method: "GET",
    route: "/r",
    touched: null,
    client: null,
    dryRun: false,
    tool: null,
  };
  const statuses = [200, 404, 503];
  for (let n = 0; n < 180; n++)
    await recordCall(store, {
      ...row,
      keyId: n % 2 === 0 ? helper.key.id : other.key.id,
      at: clock.wall() - n * 1_000,
      status: statuses[n % 3] ?? 200,
      tookToken: true,
    });
  const first = await ann.get(`/account/activity?key=${helper.key.id}&outcome=all`);
  expect(rowsOf(first)).toHaveLength(50);
  expect(linkIn(first, "Newest")).toBeNull();
  const second = await ann.get(linkIn(first, "Older") ?? "");
  const rows = [...rowsOf(first), ...rowsOf(second)];
  expect(rows).toHaveLength(90);
  expect(rows.every((text) => text.includes("helper"))).toBe(true);
  expect([linkIn(second, "Newest"), linkIn(second, "Older")]).toEqual([
    `/account/activity?key=${helper.key.id}`,
    null,
  ]);
  expect(second.html).toContain(`<option value="${helper.key.id}" selected`);
  // Only the first page has the chart.
  expect([first.html.includes("<figure"), second.html.includes("<figure")]).toEqual([true, false]);
  for (const [outcome, word] of [
    ["done", "Done"],
    ["refused", "Refused: not found"],
    ["failed", "Failed: unavailable"],
  ] as const) {
    const some = await ann.get(`/account/activity?outcome=${outcome}`);
    const more = await ann.get(linkIn(some, "Older") ?? "");
    const found = [...rowsOf(some), ...rowsOf(more)];
    expect([found.length, found.every((text) => text.includes(word))]).toEqual([60, true]);
    expect(more.html).toContain(`<option value="${outcome}" selected`);
    expect(linkIn(more, "Newest")).toBe(`/account/activity?outcome=${outcome}`);
  }
});

test("the filter for refused deletes lists nothing else", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  for (const method of ["DELETE", "PUT", "PATCH", "GET"])
    await call(method, "/me", { token: helper.secret });
  const seen = await ann.get("/account/activity?outcome=deletes");
  expect(rowsOf(seen)).toEqual(
    ["Overwrite refused", "Delete refused"].map((text) => expect.stringContaining(text) as string),
  );
  expect((await ann.get("/account/activity?outcome=failed")).text).toContain("No calls found.");
});

test("keys that no longer work can be chosen, and are marked apart from their successors", async () => {
  const { person: ann, make, helper } = await someoneWithKeys(server);
  const old = await make("old");
  await revokeKey(store, ann.account.id, old.key.id, clock.wall());
  const { id } = helper.key;
  const made = await replaceKey(store, ann.account.id, id, 0, cryptoRandom, clock.wall());
  const { html } = await ann.get("/account/activity");
  const named = ({ key }: typeof old) => `${key.name} ${key.hint.slice(-5)}`;
  expect(html).toContain(`>${named(old)} (revoked)</option>`);
  expect(html).toContain(`>${named(helper)} (replaced)</option>`);
  expect(html).toContain(`>${named(made)}</option>`);
});
