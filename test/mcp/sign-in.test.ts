import { expect, test } from "bun:test";
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { listKeys } from "../../src/db/people/api-keys.ts";
import { sharedServer } from "../support/replies.ts";
import { agent } from "../support/mcp/agent.ts";
import { ALLOW, type Decision, programOf } from "../support/mcp/sign-in.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

// A program that knows nothing but the server's address signs in by itself, as the official client does it.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });

const url = new URL(`${server.url}/mcp`);

/** A program that begins with nothing. It is refused at first, and its person decides. */
const begin = async (decision: Decision = ALLOW) => {
  const person = await someoneSignedIn(server);
  const program = programOf(person, decision);
  const transport = new StreamableHTTPClientTransport(url, { authProvider: program.provider });
  const client = new Client({ name: "helper", version: "1" });
  const refused = await client.connect(transport).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnauthorizedError);
  const signIn = async () => {
    await transport.finishAuth(program.kept.answer);
    const again = new StreamableHTTPClientTransport(url, { authProvider: program.provider });
    const signedIn = new Client({ name: "helper", version: "1" });
    await signedIn.connect(again);
    return signedIn;
  };
  return { person, ...program, signIn };
};

test("The official client signs in from nothing, and calls a tool with the key that it got", async () => {
  const { person, kept, signIn } = await begin();
  const client = await signIn();
  const done = await client.callTool({ name: "add_task", arguments: { title: "Mine" } });
  expect(done.structuredContent).toMatchObject({ task: { created_by_key: "helper" } });
  await client.close();
  expect(kept.tokens).toMatchObject({
    access_token: expect.stringMatching(/^docket_live_/) as unknown,
    token_type: "Bearer",
    expires_in: 90 * 24 * 60 * 60,
    scope: "read write",
  });
  expect(kept.tokens).not.toHaveProperty("refresh_token");
  const [key] = await listKeys(server.store, person.account.id);
  expect(key).toMatchObject({
    name: "helper",
    scopes: ["read", "write"],
    client: "Helper Code, a program on this computer",
  });
  expect((await person.get("/account/keys")).text).toContain(
    "from Helper Code, a program on this computer",
  );
});

test("The person may allow less: to read, in the inbox, for a week, for review", async () => {
  const { write: _write, ...less } = ALLOW;
  const { person, kept, signIn } = await begin({
    ...less,
    where: "inbox",
    expires: "7d",
    review: "yes",
  });
  const client = await signIn();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["find_tasks", "read_task", "find_changes"]);
  await client.close();
  expect(kept.tokens).toMatchObject({ scope: "read", expires_in: 7 * 24 * 60 * 60 });
  const [key] = await listKeys(server.store, person.account.id);
  expect(key).toMatchObject({ restriction: { kind: "inbox" }, review: true });
});

test("A person who says no is heard, and no key is made", async () => {
  const { person, kept } = await begin({ decision: "deny" });
  expect(kept.answer.get("error")).toBe("access_denied");
  expect(await listKeys(server.store, person.account.id)).toEqual([]);
});

test("A program that ends its own key gets nothing more with it", async () => {
  const { kept, signIn } = await begin();
  await (await signIn()).close();
  const token = kept.tokens?.access_token ?? "";
  const revoke = () =>
    server.call("POST", "!/oauth/revoke", {
      body: new URLSearchParams({ token }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  expect((await revoke()).status).toBe(200);
  expect((await agent(server, token).post("{}")).status).toBe(401);
});

test("A revoked key begins the sign-in again", async () => {
  const { person, kept, signIn, provider } = await begin();
  await (await signIn()).close();
  const [key] = await listKeys(server.store, person.account.id);
  await person.post(`/account/keys/${key?.id}/revoke`, { password: ALLOW["password"] ?? "" });
  const asked = kept.asked;
  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  const client = new Client({ name: "helper", version: "1" });
  expect(await client.connect(transport).catch((error: unknown) => error)).toBeInstanceOf(
    UnauthorizedError,
  );
  expect(kept.asked).not.toBe(asked);
});
