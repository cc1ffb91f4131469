import { withArguments } from "./calling.ts";
import { type Answered, type Call, json } from "../server/call.ts";
import { ANY_SCOPE } from "../server/checks/admission.ts";
import { issuerOf, originOf, tokenOf } from "../server/checks/request.ts";
import { type Context, type EntryPoint, mount, newEntryPoint } from "../server/elysia.ts";
import { finish } from "../server/respond.ts";
import { admitMessage } from "../server/request-order.ts";
import type { Service, Settings } from "../server/service.ts";
import { lazy } from "../domain/base/lazy.ts";
import { isObject } from "../domain/base/payload.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { letOthersGoOn } from "../domain/base/breathe.ts";
import type { Exchange, Protocol } from "./protocol.ts";
import type { Words } from "../domain/base/message.ts";
import { isLoopback } from "../domain/base/usage.ts";

const ENDPOINT = { method: "POST", path: "/mcp" } as const;

const MESSAGE = {
  rules: "mcp",
  access: ANY_SCOPE,
  touches: "task",
  maxBody: 1024 * 1024,
  tooLarge: "The message must be at most 1 MiB.",
} as const;

/**
 * The entry point for agents: MCP over Streamable HTTP, with the same credentials, limits and activity as REST. A
 * refusal of the credential or of the message as a whole is an HTTP status, as everywhere. A refusal by a tool is the
 * tool's result.
 */
export const serveAgents = (service: Service): EntryPoint => {
  // Loaded on the first call: it takes 30 ms and 8 MB, which a server that no agent uses does not need. Others are
  // answered in between: the package's schemas are half of that, and the first message takes another 15 ms.
  const protocol = lazy(async () => {
    await import("./schemas.ts");
    await letOthersGoOn();
    const { startProtocol, nameCall } = await import("./protocol.ts");
    await letOthersGoOn();
    return { nameCall, respond: startProtocol(service) };
  });
  const app = newEntryPoint(service);
  mount(app, ENDPOINT, async (context) => answer(service, protocol, context));
  return { endpoints: [ENDPOINT], app };
};

/** Tells a program without a valid credential where it can get one (RFC 9728, section 5.1). */
const withResource = (error: unknown, { settings }: Service, { request, peer }: Call): unknown => {
  if (!(error instanceof Refusal) || error.reason !== "unauthenticated") return error;
  const issuer = issuerOf(originOf(request, peer(), settings), settings);
  const challenge = `${error.headers["www-authenticate"]}, resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp", scope="read write"`;
  const headers = { ...error.headers, "www-authenticate": challenge };
  return new Refusal(error.reason, error.sentence, headers);
};

type Loaded = () => Promise<{
  readonly nameCall: (message: unknown) => string;
  readonly respond: Protocol;
}>;

const answer = async (
  service: Service,
  protocol: Loaded,
  { call, request }: Context,
): Promise<Response> => {
  const token = tokenOf(request.headers.get("authorization")) ?? undefined;
  call.words = AGENT_WORDS;
  checkOrigin(request, call, service.settings);
  const { caller, message: sent } = await admitMessage(service, MESSAGE, call, token).catch(
    (error: unknown) => {
      throw withResource(error, service, call);
    },
  );
  if (Array.isArray(sent))
    throw new Refusal("malformed", "Send one message at a time. Batches are not supported.");
  const { nameCall, respond } = await protocol();
  call.tool = nameCall(sent);
  const message = withArguments(sent);
  if (isObject(message) && message["method"] === "subscriptions/listen")
    return refuseListening(service, call, message["id"]);
  const exchange: Exchange = { call, caller, errorCode: null };
  return passOn(service, exchange, await respond(request, message, exchange));
};

/** Refuses a stream of notifications: the list of tools never changes, and the server sends no messages by itself. */
const refuseListening = (service: Service, call: Call, id: unknown): Answered => {
  const error = {
    code: -32_601,
    message: "This server has no subscriptions. Call find_changes to see what has changed.",
  };
  return finish(service, call, 404, json({ jsonrpc: "2.0", id: id ?? null, error }));
};

/** Reads the whole response first, so that the activity row is committed before the reply is sent. */
const passOn = async (
  service: Service,
  exchange: Exchange,
  response: Response,
): Promise<Response> => {
  const { call } = exchange;
  const body = await response.text();
  const type = response.headers.get("content-type");
  if (response.status === 200) call.outcome ??= statusOf(exchange);
  return finish(service, call, response.status, {
    body,
    headers: type === null ? {} : { "content-type": type },
  });
};

/** Returns the status for the activity list. Over MCP, the protocol's errors are sent with status 200. */
const statusOf = ({ errorCode }: Exchange): number =>
  errorCode === null ? 200 : (STATUS[errorCode] ?? 400);

const STATUS: Readonly<Record<number, number>> = {
  [-32_601]: 404,
  [-32_602]: 422,
  [-32_603]: 500,
};

// What is done with a message before the protocol is loaded.

/**
 * Refuses pages of other sites (403). Allows pages of this machine and the server's own. With DNS rebinding, another
 * site's page could otherwise reach this server (MCP, Streamable HTTP, security warning). Programs send no `Origin`.
 */
const checkOrigin = (request: Request, { peer }: Call, settings: Settings): void => {
  const origin = request.headers.get("origin");
  if (origin === null) return;
  const sender = URL.parse(origin);
  const own = [originOf(request, peer(), settings).href, settings.publicUrl?.origin];
  if (sender && (own.includes(sender.origin) || isLoopback(sender.hostname))) return;
  throw new Refusal(
    "forbidden",
    "Pages of other sites may not call this server. Call it from a program, or from a page on this machine.",
  );
};

/** The words in refusals to agents: where REST names routes and fields, these name tools and arguments. */
export const AGENT_WORDS: Words = (term) => {
  if ("parameter" in term) return term.parameter;
  if ("call" in term) return CALLS[term.call];
  return "header" in term ? HEADERS[term.header] : PHRASES[term.phrase];
};

const CALLS = { listFolders: "list_folders", listTasks: "find_tasks" } as const;

const HEADERS = { "Idempotency-Key": "idempotency_key" } as const;

const PHRASES = {
  "The body contains": "The arguments contain",
  "a different body": "different arguments",
  "the same body": "the same arguments",
} as const;
