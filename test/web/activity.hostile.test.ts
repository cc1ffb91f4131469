import { expect, test } from "bun:test";
import { recordCall } from "../../src/db/calls/activity.ts";
import { change, sharedServer } from "../support/replies.ts";
import { someoneWithKeys } from "../support/web/keys.ts";
import { pushChanges } from "../support/rules.ts";

const server = await sharedServer();
const { call, clock, store } = server;

const withKey = async (name: string, keyName = "helper") => {
  const { person, helper } = await someoneWithKeys(server, name, keyName);
  return { person, ...helper };
};

const cursorOf = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

const NO_CURSOR = "This address does not lead to a page of the list. Showing the latest calls.";

test.each<[string, string, string]>([
  ["another account's key", "key=theirs", "There is no such key. Showing all keys."],
  ["no such key", "key=' OR 1=1 --", "There is no such key. Showing all keys."],
  ["no such outcome", "outcome=constructor", "There is no such outcome. Showing all outcomes."],
  ["a cursor of another kind", "cursor=x", NO_CURSOR],
  ["a cursor without id", `cursor=${cursorOf([1])}`, NO_CURSOR],
  ["a cursor of text", `cursor=${cursorOf(["1", "2"])}`, NO_CURSOR],
  ["a cursor of no time", `cursor=${cursorOf([1e300, 1])}`, NO_CURSOR],
  ["a cursor of half a row", `cursor=${cursorOf([1, 1.5])}`, NO_CURSOR],
  ["a cursor of no JSON", `cursor=${cursorOf("[1,")}`, NO_CURSOR],
  ["a cursor of null", `cursor=${cursorOf(null)}`, NO_CURSOR],
  ["an endless cursor", `cursor=${"A".repeat(10_000)}`, NO_CURSOR],
])("%s: the page says so, and shows all", async (_name, query, problem) => {
  const { person: ann, secret } = await withKey("ann");
  const bob = await withKey("bob");
  await call("GET", "/me", { token: secret });
  await call("GET", "/me", { token: bob.secret });
  const asked = encodeURI(query.replace("theirs", bob.key.id));
  const seen = await ann.get(`/account/activity?${asked}`);
  expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(problem)]);
  expect(seen.text).toContain("checked its own access Done 200 GET /api/public/v1/me");
  expect(seen.text).not.toContain(bob.key.hint.slice(-5));
});

test("a cursor into another account's list reveals nothing about it", async () => {
  const { person: ann } = await withKey("ann");
  const bob = await withKey("bob");
  await call("GET", "/me", { token: bob.secret });
  const seen = await ann.get(`/account/activity?cursor=${cursorOf([clock.wall() + 1, 1_000_000])}`);
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining("No calls found.")]);
});

test("names, routes, titles, ids and clients that others chose are shown as text", async () => {
  const evil = `"><script>alert(1)</script>`;
  const { person: ann, key, secret } = await withKey("ann", evil);
  const title = `</script><img src=x onerror=alert(2)>\u202Egnp.exe\u0007\u001B[31m`;
  await pushChanges(
    store,
    ann.account.id,
    null,
    [change("sync_tasks", evil, { title })],
    clock.wall(),
  );
  await call("GET", `/tasks/${encodeURIComponent(evil)}`, {
    token: secret,
    headers: { "user-agent": `<svg/onload=alert(3)>` },
  });
  await recordCall(store, {
    accountId: ann.account.id,
    keyId: key.id,
    at: clock.wall(),
    method: "<b>\u202E",
    route: "\u001B[2J",
    status: 299,
    touched: "javascript:alert(4)",
    client: "\u0000\u0085",
    tookToken: true,
    dryRun: false,
    tool: null,
  });
  const { status, html, text } = await ann.get("/account/activity");
  expect(status).toBe(200);
  // One script, our own; no image, no drawing except the chart, and no link that runs something.
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<img|<svg\/|href="javascript:/);
  expect(html).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
  expect(text).toContain("</script><img src=x onerror=alert(2)>\uFFFDgnp.exe\uFFFD\uFFFD[31m");
  expect(text).toContain("<svg/onload=alert(3)>");
});
