import { ProtocolError, SdkError, SdkHttpError } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CURRENT, LAST } from "../support/bridge.ts";
import { connect, type Place, type Way } from "../support/mcp.ts";
import { buildBinary, run, type Running, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

// What the official client reports when the executable refuses its key, or is not running.

const directory = testDirectory();
let program: readonly string[];
let server: Running;

const docket = async (...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(program, [...words, "--data", directory]);
  expect([words, code, err]).toEqual([words, 0, expect.any(String)]);
  return out.trim();
};

const keyWith = (name: string, scopes: string): Promise<string> =>
  docket("key", "create", "--name", name, "--scopes", scopes);

const start = (port = "0", ...words: readonly string[]): Promise<Running> =>
  serve(program, ["--data", directory, "--port", port, "--log", "off", ...words]);

const placeOf = (key: string, at: Running = server): Place => ({ url: at.url, key, program });

beforeAll(async () => {
  program = await buildBinary();
  await docket("account", "add", "ann@example.org");
  server = await start();
});

afterAll(() => server.stop());

/** What a client reports: the status if there is one, the error's code, and the sentence. */
const reportOf = async (call: Promise<unknown>): Promise<object> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof SdkHttpError)
      return { status: error.data.status, text: error.data["text"] };
    if (error instanceof ProtocolError) return { message: error.message, data: error.data };
    if (error instanceof SdkError) return { code: error.code };
    throw error;
  }
  return { refused: false };
};

const WAYS: readonly Way[] = ["over HTTP", "over stdio"];
const MEETINGS = WAYS.flatMap((way) => [CURRENT, LAST].map((spoken) => [spoken, way] as const));

describe.each(MEETINGS)("In revision %s %s", (revision, way) => {
  const report = (status: number, sentence: string, advice = "", more: object = {}): object =>
    way === "over HTTP"
      ? { status, text: JSON.stringify({ error: sentence }) }
      : { message: sentence + advice, data: { status, ...more } };

  test("a key that was revoked meanwhile hears what to do", async () => {
    const client = await connect(way, revision, placeOf(await keyWith("gone", "read")));
    await client.listTools();
    const key = JSON.parse(await docket("key", "list", "--json")).find(
      (one: { name: string; state: string }) => one.name === "gone" && one.state === "live",
    );
    await docket("key", "revoke", key.id);
    expect(await reportOf(client.callTool({ name: "list_folders", arguments: {} }))).toEqual(
      report(
        401,
        "The credential is not valid. It may be mistyped, expired or revoked. Create a new key or sign in again.",
        " Check the key in DOCKET_API_KEY.",
      ),
    );
    await client.close();
  });

  test("a key that only reads sees no tool that writes, and is refused if it calls one", async () => {
    const client = await connect(way, revision, placeOf(await keyWith("reader", "read")));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "find_tasks",
      "read_task",
      "find_changes",
      "list_folders",
    ]);
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(
      tools.map(() => true),
    );
    const { isError, content } = await client.callTool({
      name: "add_folder",
      arguments: { name: "x" },
    });
    expect([isError, content]).toEqual([
      true,
      [{ type: "text", text: "This key does not have the write scope. Use a key that has it." }],
    ]);
    await client.close();
  });

  test("a key that only writes sees no tool that reads, and is refused if it calls one", async () => {
    const client = await connect(way, revision, placeOf(await keyWith("writer", "write")));
    const { tools } = await client.listTools();
    expect(
      tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name),
    ).toEqual([]);
    const { isError, content } = await client.callTool({ name: "find_tasks", arguments: {} });
    expect([isError, content]).toEqual([
      true,
      [{ type: "text", text: "This key does not have the read scope. Use a key that has it." }],
    ]);
    await client.close();
  });

  test("a key that calls too often hears when to try again", async () => {
    const key = await keyWith("busy", "read");
    const client = await connect(way, revision, placeOf(key));
    const asked = await Promise.all(
      Array.from({ length: 61 }, () =>
        reportOf(client.callTool({ name: "list_folders", arguments: {} })),
      ),
    );
    const refused = asked.filter((one) => !("refused" in one));
    expect(refused.length).toBeGreaterThan(0);
    for (const one of refused) {
      const seconds = Number(/again in (\d+) s/.exec(JSON.stringify(one))?.[1]);
      expect([seconds > 0, seconds <= 60]).toEqual([true, true]);
      const sentence = `This key may make 60 requests a minute and 600 an hour. Try again in ${seconds} s.`;
      expect(one).toEqual(report(429, sentence, "", { retry_after: seconds }));
    }
    await client.close();
  });

  test("a client hears that the server is away, and goes on when it is back", async () => {
    const client = await connect(way, revision, placeOf(await keyWith("patient", "read")));
    const ask = () => client.callTool({ name: "list_folders", arguments: {} });
    await ask();
    const { port, origin } = new URL(server.url);
    await server.stop();
    const away = await ask().catch((error: Error) => error.message);
    server = await start(port);
    expect(away).toBe(
      way === "over HTTP"
        ? "ECONNREFUSED: Unable to connect. Is the computer able to access the url?"
        : `Docket does not answer at ${origin}. Start it with \`docket serve\`, or correct DOCKET_URL.`,
    );
    expect((await ask()).structuredContent).toMatchObject({ folders: [] });
    await client.close();
  });
});
