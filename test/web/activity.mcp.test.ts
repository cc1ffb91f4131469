import { expect, test } from "bun:test";
import { recordCall } from "../../src/db/calls/activity.ts";
import { sharedServer, V1 } from "../support/replies.ts";
import { someoneWithKeys } from "../support/web/keys.ts";
import type { Seen } from "../support/web/visitor.ts";

const server = await sharedServer();
const { call, clock, store } = server;

/** Ann, whose key called once over REST and four times over MCP. Two of those calls were refused. */
const withCalls = async () => {
  const { person: ann, helper } = await someoneWithKeys(server);
  const over = (tool: string | null, status: number, method = "POST") =>
    recordCall(store, {
      keyId: helper.key.id,
      accountId: ann.account.id,
      at: clock.wall(),
      method,
      route: "/mcp",
      status,
      touched: tool === "get_task" ? "task:none" : null,
      client: "scout/1.2",
      tookToken: status === 200,
      dryRun: false,
      tool,
    });
  await call("GET", "/tasks", { token: helper.secret });
  await over("get_task", 200);
  await over("tools/list", 200);
  await over(null, 429);
  await over(null, 405, "DELETE");
  return { ann, helper };
};

/** What was done, the outcome, and the call, as the rows of the list show it, without the key and the client. */
const callsIn = ({ html }: Seen): readonly string[] =>
  [
    ...html.matchAll(
      /<td data-label="What happened">(.*?)<\/td><td data-label="Outcome">(.*?)<\/td><td data-label="Request">(.*?)<\/td>/g,
    ),
  ].map((cells) =>
    cells
      .slice(1)
      .join(" ")
      .replaceAll(/<[^>]*>/g, "")
      .replace(/^helper \S+ /, "")
      .replace(/ (?:scout|Bun)\/\S+$/, ""),
  );

const OVER_MCP = [
  "tried to delete something Delete refused 405 via MCP: DELETE /mcp",
  "tried to make a call about something else Refused: too many calls 429 via MCP",
  "connected over MCP Done 200 via MCP: tools/list",
  "made a call about task none not found  Done 200 via MCP: get_task",
];
const OVER_REST = [`listed tasks Done 200 GET ${V1}/tasks`];

test("a call over MCP is listed by its tool, or else by its method of the protocol", async () => {
  const { ann } = await withCalls();
  const seen = await ann.get("/account/activity");
  expect(callsIn(seen)).toEqual([...OVER_MCP, ...OVER_REST]);
  expect(seen.text).toContain("Done 200 via MCP: get_task scout/1.2");
});

test("the list can be limited to one protocol, also together with a key and an outcome", async () => {
  const { ann, helper } = await withCalls();
  const seen = async (query: string) => callsIn(await ann.get(`/account/activity?${query}`));
  expect(await seen("via=mcp")).toEqual(OVER_MCP);
  expect(await seen("via=rest")).toEqual(OVER_REST);
  expect(await seen("via=all")).toEqual([...OVER_MCP, ...OVER_REST]);
  expect(await seen(`via=mcp&outcome=done&key=${helper.key.id}`)).toEqual(OVER_MCP.slice(2));
  const { html } = await ann.get("/account/activity?via=mcp");
  expect(html).toContain('<option value="mcp" selected>MCP</option>');
});

test("an unknown protocol is reported, and all protocols are shown", async () => {
  const { ann } = await withCalls();
  const seen = await ann.get("/account/activity?via=pigeon");
  expect(seen.status).toBe(422);
  expect(seen.text).toContain("There is no such protocol. Showing all protocols.");
  expect(callsIn(seen)).toHaveLength(5);
});

test("the next page keeps the protocol", async () => {
  const { ann, helper } = await withCalls();
  for (let n = 0; n < 55; n++) await call("GET", "/tasks", { token: helper.secret });
  const { html } = await ann.get("/account/activity?via=rest");
  const older = /<a href="([^"]*)">Older</.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(older).toMatch(/[?&]via=rest&cursor=/);
  expect(callsIn(await ann.get(older))).toHaveLength(1);
  expect((await ann.get(older)).text).toContain("only read, 6 times");
});

test("a tool name that someone made up is shown as text", async () => {
  const { ann, helper } = await withCalls();
  const tool = "<script>alert(1)</script>\u202E";
  await recordCall(store, {
    keyId: helper.key.id,
    accountId: ann.account.id,
    at: clock.wall(),
    method: "POST",
    route: "/mcp",
    status: 200,
    touched: null,
    client: null,
    tookToken: true,
    dryRun: false,
    tool,
  });
  const { html } = await ann.get("/account/activity");
  expect(html).not.toContain("<script>alert");
  expect(html).not.toContain("\u202E");
});
