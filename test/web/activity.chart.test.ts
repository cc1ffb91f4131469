import { expect, test } from "bun:test";
import { recordCall } from "../../src/db/calls/activity.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { someoneWithKeys } from "../support/web/keys.ts";

const server = await sharedServer();
const { call, clock, store } = server;

test("the chart shows each key's calls in the last 14 days, in numbers and as a table", async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  const row = { accountId: ann.account.id, keyId: helper.key.id, method: "GET", route: "/r" };
  const done = { status: 200, touched: null, client: null, dryRun: false, tool: null };
  const record = (at: number, tookToken = true) =>
    recordCall(store, { ...row, ...done, at, tookToken });
  const midnight = clock.wall() - (clock.wall() % DAY);
  for (let n = 0; n < 3; n++) await record(midnight + n, false);
  await record(midnight - 1);
  await record(midnight - 13 * DAY);
  await record(midnight - 13 * DAY - 1);
  const { html, text } = await ann.get("/account/activity");
  const name = `helper ${helper.key.hint.slice(-5)}`;
  expect(html).toContain('<svg role="img"');
  expect(html).toContain(`<title id="chart-0-title">Calls per day by ${name}</title>`);
  expect(html).toContain('<desc id="chart-0-desc">5 calls in 14 days.');
  expect(text).toContain("2026-02-19 to 2026-03-04, in UTC. All bars use the same scale.");
  const days = [...html.matchAll(/<th scope="row">(\S{10})<\/th><td data-label="[^"]*">(\d+)</g)];
  expect(days).toHaveLength(14);
  expect(days.filter(([, , calls]) => calls !== "0").map(([, day, calls]) => [day, calls])).toEqual(
    [
      ["2026-02-19", "1"],
      ["2026-03-03", "1"],
      ["2026-03-04", "3"],
    ],
  );
  // Each bar shows its number.
  expect([...html.matchAll(/<rect[^>]*><\/rect><text[^>]*>([^<]*)</g)].map(([, n]) => n)).toEqual([
    "1",
    "1",
    "3",
  ]);
});

test("the chart shows the six keys with the most calls, and all others in one panel", async () => {
  const { person: ann, make } = await someoneWithKeys(server);
  for (let n = 1; n <= 9; n++) {
    const { secret } = await make(`key ${n}`);
    for (let calls = 0; calls < n; calls++) await call("GET", "/me", { token: secret });
  }
  const { html } = await ann.get("/account/activity");
  const panels = [...html.matchAll(/<figcaption><bdi>(.*?)<\/bdi>: (\d+) calls?</g)];
  expect(panels.map(([, name = "", calls]) => [name.replace(/ ….*/, ""), calls])).toEqual([
    ["key 9", "9"],
    ["key 8", "8"],
    ["key 7", "7"],
    ["key 6", "6"],
    ["key 5", "5"],
    ["key 4", "4"],
    ["3 other keys", "6"],
  ]);
});

test("with one key chosen, the chart shows only that key, and without calls there is no chart", async () => {
  const { person: ann, make, helper } = await someoneWithKeys(server);
  const other = await make("other");
  const empty = await ann.get("/account/activity");
  expect([empty.html.includes("<figure"), empty.text]).toEqual([
    false,
    expect.stringContaining("No calls in the last 14 days."),
  ]);
  for (const { secret } of [helper, other]) await call("GET", "/me", { token: secret });
  const { html } = await ann.get(`/account/activity?key=${other.key.id}`);
  expect([...html.matchAll(/<figcaption><bdi>(\w+)/g)].map(([, name]) => name)).toEqual(["other"]);
});
