import { expect, test } from "bun:test";
import { recordCall } from "../../../src/db/calls/activity.ts";
import { listKeys } from "../../../src/db/people/api-keys.ts";
import { DOCKET } from "../../support/docket.ts";
import { run } from "../../support/program.ts";
import { AT_NOON, newcomer, sharedServer, V1 } from "../../support/replies.ts";

const server = await sharedServer();

test("docket activity lists the calls of API keys and marks the dry runs", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const headers = { "user-agent": "scout/1.2" };
  const body = { title: "t" };
  const { json } = await server.call("POST", "/tasks", { token, body, headers });
  await server.call("POST", "/tasks?dry_run=true", { token, body, headers });
  const words = ["activity", "--data", server.directory];
  const listed = await run(DOCKET, [...words, "--json"]);
  const same = {
    at: AT_NOON,
    key: "bot",
    key_id: expect.any(String) as string,
    via: "rest",
    tool: null,
    method: "POST",
    route: `${V1}/tasks`,
    count: 1,
    client: "scout/1.2",
  };
  expect(JSON.parse(listed.out)).toEqual([
    { ...same, status: 200, dry_run: "only asked", touched: null },
    { ...same, status: 201, dry_run: null, touched: `task:${json.id}` },
  ]);
  const { out } = await run(DOCKET, words);
  const [, asked, done] = out.split("\n");
  expect([asked, done].map((line) => line?.includes("only asked"))).toEqual([true, false]);
});

test("docket activity names the tools that were called over MCP", async () => {
  const ann = await newcomer(server);
  await ann.key();
  const [key] = await listKeys(server.store, ann.account.id);
  const rows = [
    ["find_tasks", 200],
    ["tools/list", 200],
    [null, 429],
  ] as const;
  for (const [tool, status] of rows)
    await recordCall(server.store, {
      keyId: key?.id ?? "",
      accountId: ann.account.id,
      at: server.clock.wall(),
      method: "POST",
      route: "/mcp",
      status,
      touched: null,
      client: null,
      tookToken: status === 200,
      dryRun: false,
      tool,
    });
  const words = ["activity", "--key", key?.id ?? "", "--data", server.directory];
  const listed = JSON.parse((await run(DOCKET, [...words, "--json"])).out) as unknown[];
  expect(listed).toMatchObject(
    rows.toReversed().map(([tool, status]) => ({ via: "mcp", tool, status, route: "/mcp" })),
  );
  const [head, refused, list, find] = (await run(DOCKET, words)).out.split("\n");
  expect(head).toMatch(/ VIA +TOOL +METHOD /);
  expect(refused).toMatch(/ mcp +- +POST +\/mcp +429 /);
  expect(list).toMatch(/ mcp +tools\/list +POST +\/mcp +200 /);
  expect(find).toMatch(/ mcp +find_tasks +POST +\/mcp +200 /);
});

test("docket activity tells a key that did nothing from one that is not there", async () => {
  const ann = await newcomer(server);
  await ann.key();
  const [key] = await listKeys(server.store, ann.account.id);
  const activity = async (id: string) =>
    (await run(DOCKET, ["activity", "--key", id, "--data", server.directory])).err;
  expect(await activity(key?.id ?? "")).toBe("There is no API key activity yet.\n");
  expect(await activity("typo")).toBe("docket: API key not found. It may have been deleted.\n");
});
