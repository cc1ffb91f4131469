import { fields, type Message } from "./message.ts";

/**
 * Where a message of the current revision says of which one it is, and whose. The package has these names too, but
 * to load it would cost every command of the program 30 ms.
 */
const PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";
const CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";

/**
 * What a client of the revisions before 2026-07-28 says once, with `initialize`, and what is answered to it.
 * Since then every message says all of it again.
 */
export type Agreed = { readonly version: unknown; readonly client: unknown };

export const NOTHING_AGREED: Agreed = { version: undefined, client: undefined };

/** What follows from the reply to a message: nothing, unless that was `initialize`. */
export const agreedBy = ({ method, params }: Message, reply: unknown): Agreed | null =>
  method === "initialize"
    ? {
        version: fields(fields(reply)["result"])["protocolVersion"],
        client: params["clientInfo"],
      }
    : null;

/** The methods whose header names what they are about, and where that stands (MCP 2026-07-28, Streamable HTTP). */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/**
 * The headers of a message's own request. Since 2026-07-28 they repeat what the message says, and the server
 * compares them. What cannot stand in a header is left out, which the server refuses in words of its own.
 */
export const headersOf = ({ method = "", params }: Message, agreed: Agreed, agent: string) => {
  const meta = fields(params["_meta"]);
  const version = meta[PROTOCOL_VERSION_META_KEY];
  const client = clientName(meta[CLIENT_INFO_META_KEY] ?? agreed.client);
  const repeated = { "mcp-method": method, "mcp-name": encoded(params[NAMED_BY[method] ?? ""]) };
  return plainOnly({
    "mcp-protocol-version": version ?? agreed.version,
    ...(version === undefined ? {} : repeated),
    "user-agent": PLAIN.test(client) ? `${agent} (${client})` : agent,
  });
};

const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;

const plainOnly = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && PLAIN.test(value) ? [[name, value] as const] : [],
    ),
  );

/** A name that is no plain ASCII goes as Base64 (the same section, value encoding). */
const encoded = (name: unknown): unknown =>
  typeof name !== "string" || (PLAIN.test(name) && !/^=\?base64\?.*\?=$/.test(name))
    ? name
    : `=?base64?${Buffer.from(name).toString("base64")}?=`;

/** Who asks, for the activity list: the program that started this one. */
const clientName = (client: unknown): string => {
  const { name, version } = fields(client);
  return [name, version]
    .filter((text) => typeof text === "string")
    .join(" ")
    .slice(0, 100)
    .trim();
};
