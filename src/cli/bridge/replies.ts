import { fields, type Message, rpcError } from "./message.ts";
import { cutText } from "../../domain/base/text.ts";

/** In bytes. The largest replies of Docket are a few MiB. */
const LONGEST_REPLY = 32 * 1024 * 1024;

/** Thrown for a reply that is too long to be Docket's. */
export class TooLong extends Error {}

/** A response's text. Whatever answers at the address must not fill this program's memory. */
const readText = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > LONGEST_REPLY) throw new TooLong("The reply is too long.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** The messages in a response: one as JSON, or several as events. The last one answers the request. */
export const readReplies = async (response: Response): Promise<readonly object[]> => {
  const type = response.headers.get("content-type") ?? "";
  const text = await readText(response);
  const texts = /^text\/event-stream\b/i.test(type) ? eventsIn(text) : [text];
  const messages = texts.map((one) => fields(JSON.parse(one)));
  if (messages.length > 0 && messages.every(({ jsonrpc }) => jsonrpc === "2.0")) return messages;
  throw new SyntaxError("The response is JSON, but not a JSON-RPC reply.");
};

/** The data of server-sent events (HTML Living Standard, 9.2.6). Events without data only keep a connection open. */
const eventsIn = (text: string): readonly string[] =>
  text
    .split(/(?:\r?\n){2,}/)
    .map((event) => event.split(/\r?\n/).filter((line) => line.startsWith("data:")))
    .map((lines) => lines.map((line) => line.slice("data:".length)).join("\n"))
    .filter((data) => data.trim() !== "");

/** The reply to a message whose HTTP request the server refused. */
export const refusal = async (response: Response, message: Message, url: URL) => {
  const id = message.id ?? null;
  const { status, headers } = response;
  const body = fields(
    await readText(response)
      .then((text) => JSON.parse(text) as unknown)
      .catch(() => null),
  );
  if (body["jsonrpc"] === "2.0" && "error" in body) return { ...body, id };
  const own = typeof body["error"] === "string" ? body["error"] : otherwise(status, url);
  const sentence = status in ADVICE ? `${own} ${ADVICE[status]}` : own;
  const seconds = Number(headers.get("retry-after"));
  return rpcError(id, sentence, { data: { status, ...(seconds && { retry_after: seconds }) } });
};

const ADVICE: Readonly<Record<number, string>> = {
  401: "Check the key in DOCKET_API_KEY.",
  421: "Check the address in DOCKET_URL.",
};

const otherwise = (status: number, { origin }: URL): string =>
  status >= 300 && status < 400
    ? `${origin} redirects to another address, where your API key was not sent. Set DOCKET_URL to the address of your Docket server.`
    : `${origin} answered with status ${status}, but the answer is not from Docket. Set DOCKET_URL to the address of your Docket server.`;

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
