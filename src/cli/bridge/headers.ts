import { fields, type Message } from "./message.ts";
import { cutText } from "../../domain/base/text.ts";

/**
 * Where a message of the current revision names its revision and its client. The MCP package exports these names
 * too, but loading it would add 30 ms to every command.
 */
const PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";
const CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";

/**
 * What a client and the server agreed with `initialize`, in revisions before 2026-07-28. Since that revision
 * every message repeats it.
 */
export type Agreed = { readonly version: unknown; readonly client: unknown };

export const NOTHING_AGREED: Agreed = { version: undefined, client: undefined };

/** What the reply to a message agrees on; null unless the message was `initialize`. */
export const agreedBy = ({ method, params }: Message, reply: unknown): Agreed | null =>
  method === "initialize"
    ? {
        version: fields(fields(reply)["result"])["protocolVersion"],
        client: params["clientInfo"],
      }
    : null;

/** The methods with an `Mcp-Name` header, and the parameter it repeats (MCP 2026-07-28, Streamable HTTP). */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/**
 * The headers of the request that carries a message. Since 2026-07-28 they repeat parts of the message, and the
 * server compares them. A value that a header cannot hold is left out; the server then refuses the request itself.
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

/** A name that is not plain ASCII is sent as Base64 (MCP 2026-07-28, Streamable HTTP, value encoding). */
const encoded = (name: unknown): unknown =>
  typeof name !== "string" || (PLAIN.test(name) && !/^=\?base64\?.*\?=$/.test(name))
    ? name
    : `=?base64?${Buffer.from(name).toString("base64")}?=`;

/** The program that started this one, as the activity list shows it. */
const clientName = (client: unknown): string => {
  const { name, version } = fields(client);
  const whole = [name, version].filter((text) => typeof text === "string").join(" ");
  return cutText(whole, 100).trim();
};
