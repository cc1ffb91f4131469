import { expect, test } from "bun:test";
import { FROM_SOURCE, run } from "../_program.ts";
import { AT_NOON, newcomer, sharedServer, V1 } from "../_replies.ts";

const server = await sharedServer();

test("docket activity lists what keys did, and tells what they only asked", async () => {
  const ann = await newcomer(server);
  const token = await ann.key();
  const headers = { "user-agent": "scout/1.2" };
  const body = { title: "t" };
  const { json } = await server.call("POST", "/tasks", { token, body, headers });
  await server.call("POST", "/tasks?dry_run=true", { token, body, headers });
  const words = ["activity", "--data", server.directory];
  const listed = await run(FROM_SOURCE, [...words, "--json"]);
  const same = {
    at: AT_NOON,
    key: "bot",
    key_id: expect.any(String) as string,
    method: "POST",
    route: `${V1}/tasks`,
    count: 1,
    client: "scout/1.2",
  };
  expect(JSON.parse(listed.out)).toEqual([
    { ...same, status: 200, dry_run: "only asked", touched: null },
    { ...same, status: 201, dry_run: null, touched: `task:${json.id}` },
  ]);
  const { out } = await run(FROM_SOURCE, words);
  const [, asked, done] = out.split("\n");
  expect([asked, done].map((line) => line?.includes("only asked"))).toEqual([true, false]);
});
