import { expect, test } from "bun:test";
import { createKey } from "../../src/db/people/api-keys.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { sharedServer } from "../support/replies.ts";
import { agent } from "../support/mcp/agent.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();

test("The page shows how to connect each agent, and its first call once that has come", async () => {
  const ann = await someoneSignedIn(server);
  const { id } = ann.account;
  const wish = { name: "helper", scopes: ["read"], restriction: null, expiresAt: null } as const;
  const now = server.clock.wall();
  const { secret } = await createKey(server.store, id, wish, cryptoRandom, now);
  await agent(server, secret).does("find_tasks");
  server.clock.advance(1_000);
  const { location } = await ann.get("/account/keys/connect");
  const seen = await ann.get(location ?? "");
  expect(seen.html).toContain("data-progress");
  for (const words of [
    `claude mcp add --transport http docket ${server.url}/mcp`,
    `codex mcp add docket --url ${server.url}/mcp`,
    `gemini mcp add --transport http docket ${server.url}/mcp`,
    "This server has none.",
  ])
    expect(seen.text).toContain(words);
  await agent(server, secret).does("find_changes");
  const after = await ann.get(location ?? "");
  expect(after.html).not.toContain("data-progress");
  expect(after.text).toContain("“ helper ” is connected. Its first call, find_changes , came on");
});
