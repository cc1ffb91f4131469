import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { makeCredentials, type ServerProcess, startServerProcess } from "../support/process.ts";
import { buildBinary, plainEnvironment } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

type Entry = {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Readonly<Record<string, string>>;
};

const directory = testDirectory();
let server: ServerProcess;
let entries: readonly Entry[];
let path: string;

beforeAll(async () => {
  const program = await buildBinary();
  const { key } = await makeCredentials(directory);
  server = await startServerProcess(directory, { program });
  path = `${join(program[0] ?? "", "..")}:${process.env["PATH"]}`;
  entries = await readEntries(server.url(), key);
});

afterAll(() => server.stop("SIGTERM"));

/**
 * Reads the client configurations that the agents guide shows, with this server and this key filled in.
 */
const readEntries = async (url: string, key: string): Promise<readonly Entry[]> => {
  const file = join(import.meta.dir, "../../src/reference/guides/agents.md");
  const guide = await Bun.file(file).text();
  return [...guide.matchAll(/^```json\n(\{\n {2}"mcpServers.*?)^```$/gms)].map(([, text = ""]) => {
    const mine = text.replaceAll("http://127.0.0.1:3625", url).replaceAll("docket_live_...", key);
    return JSON.parse(mine).mcpServers.docket as Entry;
  });
};

const transportOf = ({ url, headers = {}, command = "", args = [], env = {} }: Entry) =>
  url === undefined
    ? new StdioClientTransport({ command, args, env: plainEnvironment({ ...env, PATH: path }) })
    : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });

test("Both configurations in the agents guide reach the server", async () => {
  expect(entries.map(({ command }) => command)).toEqual([undefined, "docket"]);
  for (const entry of entries) {
    const client = new Client(
      { name: "helper", version: "1.0" },
      { versionNegotiation: { mode: "auto" } },
    );
    await client.connect(transportOf(entry));
    const { structuredContent } = await client.callTool({ name: "list_folders", arguments: {} });
    expect(structuredContent).toMatchObject({ folders: [] });
    await client.close();
  }
});
