import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CURRENT } from "./bridge.ts";
import { plainEnvironment } from "./program.ts";

/** How an MCP client reaches the server, and what it speaks. */
export type Way = "over HTTP" | "over stdio";

export type Place = {
  /** The server's address. */
  readonly url: string;
  readonly key: string;
  /** The command that runs `docket`. */
  readonly program: readonly string[];
};

/** The official client, connected. */
export const connect = async (way: Way, revision: string, place: Place): Promise<Client> => {
  const client = new Client(
    { name: "helper", version: "1.0" },
    revision === CURRENT
      ? { versionNegotiation: { mode: { pin: CURRENT } } }
      : { supportedProtocolVersions: [revision] },
  );
  await client.connect(way === "over HTTP" ? overHttp(place) : overStdio(place));
  return client;
};

const overHttp = ({ url, key }: Place) =>
  new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });

const overStdio = ({ url, key, program: [command = "", ...words] }: Place) =>
  new StdioClientTransport({
    command,
    args: [...words, "mcp"],
    env: plainEnvironment({ DOCKET_URL: url, DOCKET_API_KEY: key }),
    stderr: "ignore",
  });
