import { expect, test } from "bun:test";
import { recordCall } from "../../src/db/calls/activity.ts";
import { replaceKey, revokeKey } from "../../src/db/people/api-keys.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { change, sharedServer, V1 } from "../support/replies.ts";
import { someoneWithKeys } from "../support/web/keys.ts";
import type { Seen } from "../support/web/visitor.ts";
import { pushChanges } from "../support/rules.ts";

const server = await sharedServer();
const { call, clock, store } = server;

/** The text of each row of the list. */
const rowsOf = ({ html }: Seen): readonly string[] =>
  (html.split('<caption class="quiet-text">What your keys did')[1] ?? "")
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
  await call("GET", "/tasks?q=secret", { token, headers });
  await call("GET", "/tasks/none", { token, headers });
  const seen = await ann.get("/account/activity");
  expect([seen.status, rowsOf(seen)]).toEqual([
    200,
    [
      `4 March 2026, 12:01 UTC helper ${tail} tried to read task none not found Refused: not found 404 GET ${V1}/tasks/{id} scout/1.2`,
      `4 March 2026, 12:01 UTC helper ${tail} listed tasks Done 200 GET ${V1}/tasks scout/1.2`,
      `4 March 2026, 12:00 UTC helper ${tail} saved tabs in task Agent unsorted · Open Done 201 POST ${V1}/inbox/tabs scout/1.2`,
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
      "tried to make a call about something else Refused: method not allowed 405 PATCH /api/public/v1/me",
      "tried to overwrite something Overwrite refused 405 PUT /api/public/v1/me",
      "tried to delete something 2 times within one minute, most recently at this time Delete refused 405 DELETE /api/public/v1/me",
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
      `added task t · Open Done 201 POST ${V1}/tasks`,
      `tried to add a task dry run Refused: invalid 422 POST ${V1}/tasks`,
      `tried to add a task dry run Would succeed 200 POST ${V1}/tasks`,
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

test("what a key changed is told in words, and a task that it finished as finished", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  const token = helper.secret;
  const { json: task } = await call("POST", "/tasks", { token, body: { title: "Lisbon flights" } });
  const patch = async (body: object) => {
    clock.advance(1_000);
    expect((await call("PATCH", `/tasks/${task.id}`, { token, body })).status).toBe(200);
  };
  const first = async () =>
    rowsOf(await ann.get("/account/activity")).map(
      (row) => /\S+ task Lisbon flights/.exec(row)?.[0],
    );
  await patch({ status: "done" });
  expect(await first()).toEqual(["finished task Lisbon flights", "added task Lisbon flights"]);
  await patch({ status: "in_progress" });
  await patch({ due: "2026-05-01" });
  await patch({ status: "cancelled" });
  await patch({ status: "completed", due: null });
  await patch({ title: "Lisbon flights" });
  expect(await first()).toEqual([
    "changed task Lisbon flights",
    "finished task Lisbon flights",
    "changed task Lisbon flights",
    "changed task Lisbon flights",
    "changed task Lisbon flights",
    "finished task Lisbon flights",
    "added task Lisbon flights",
  ]);
});

test("a task that someone else finished, or that was asked about only, is not told as finished", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  const token = helper.secret;
  const { json: task } = await call("POST", "/tasks", { token, body: { title: "t" } });
  clock.advance(1_000);
  await call("PATCH", `/tasks/${task.id}?dry_run=true`, { token, body: { status: "done" } });
  await call("PATCH", `/tasks/${task.id}`, { token, body: { colour: "red" } });
  clock.advance(1_000);
  const payload = { title: "t", status: "done" };
  const done = change("sync_tasks", task.id, payload, { updated_at: "2026-03-05T12:00:00.000Z" });
  await pushChanges(store, ann.account.id, null, [done], clock.wall() + 86_400_000);
  const rows = rowsOf(await ann.get("/account/activity")).join("\n");
  expect(rows).toContain("changed task t");
  expect(rows).toContain("tried to change task t");
  expect(rows).not.toContain("finished");
});

test("calls that only read, one after the other, share a line that opens", async () => {
  const { person: ann, helper, make } = await someoneWithKeys(server);
  const [token, other] = [helper.secret, (await make("other")).secret];
  const { json: task } = await call("POST", "/tasks", { token, body: { title: "Trip" } });
  for (const path of ["/me", "/tasks", `/tasks/${task.id}`, "/projects"])
    await call("GET", path, { token });
  await call("GET", "/me", { token: other });
  await call("GET", "/tasks/none", { token });
  await call("GET", "/me", { token });
  const seen = await ann.get("/account/activity");
  const said = rowsOf(seen).map((row) => row.replace(/^.* UTC (?=helper|other)/, ""));
  expect(said).toEqual(
    [
      / checked its own access Done 200 /,
      / tried to read task none not found Refused: not found 404 /,
      /^other .* checked its own access Done 200 /,
      / only read, 4 times .* listed folders .* read task Trip .* listed tasks .* checked its own access .* Done 200 4 requests$/,
      / added task Trip /,
    ].map((row) => expect.stringMatching(row) as string),
  );
});
