import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { decideOn } from "../support/mcp/sign-in.ts";
import { plainEnvironment } from "../support/program.ts";
import { sharedServer } from "../support/replies.ts";
import { testDirectory } from "../support/server.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();

const MCP_REMOTE = fileURLToPath(import.meta.resolve("mcp-remote/dist/proxy.js"));

/**
 * A client that speaks MCP over its standard streams only, with mcp-remote between it and the server. mcp-remote prints
 * the address of the sign-in before it listens for the answer, so the address counts once it listens.
 */
const throughRemote = () => {
  const transport = new StdioClientTransport({
    command: "node",
    args: [MCP_REMOTE, `${server.url}/mcp`],
    env: plainEnvironment({ MCP_REMOTE_CONFIG_DIR: testDirectory() }),
    stderr: "pipe",
  });
  const asked = Promise.withResolvers<URL>();
  let said = "";
  transport.stderr?.on("data", (chunk) => {
    said += String(chunk);
    const address = /^http\S+\/oauth\/authorize\?\S+(?=\s)/m.exec(said)?.[0];
    if (address !== undefined && said.includes("callback server running"))
      asked.resolve(new URL(address));
  });
  return { transport, asked: asked.promise };
};

test("mcp-remote signs in from nothing, and its client calls a tool with the key that it got", async () => {
  const person = await someoneSignedIn(server);
  const { transport, asked } = throughRemote();
  const client = new Client({ name: "desktop", version: "1" });
  const allow = async (): Promise<void> => {
    const { location } = await decideOn(person, await asked);
    expect((await fetch(location ?? "")).status).toBe(200);
  };
  try {
    await Promise.all([client.connect(transport), allow()]);
    const done = await client.callTool({ name: "add_task", arguments: { title: "Mine" } });
    expect(done.structuredContent).toMatchObject({ task: { created_by_key: "helper" } });
  } finally {
    await client.close();
  }
  const [key] = await listKeys(server.store, person.account.id);
  expect(key?.client).toEndWith(", a program on this computer");
});
