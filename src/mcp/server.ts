import { ANY_SCOPE, admit, admitAgain } from "../server/checks/admission.ts";
import { parseJson, readBody } from "../server/checks/body.ts";
import type { Call } from "../server/call.ts";
import { tokenOf } from "../server/request-checks.ts";
import { type Answered, finish } from "../server/finish.ts";
import { json } from "../server/reply.ts";
import { type Context, type Entrance, mount, newEntrance } from "../server/elysia.ts";
import type { Service } from "../server/service.ts";
import { lazy } from "../domain/base/lazy.ts";
import { isObject } from "../domain/base/payload.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { checkOrigin } from "./origin.ts";
import type { Protocol } from "./protocol.ts";

const PLACE = { method: "POST", path: "/mcp" } as const;

const BODY = {
  rules: "rest",
  maxBody: 1024 * 1024,
  tooLarge: "The message must be at most 1 MiB.",
} as const;

/**
 * The entrance for agents: MCP over Streamable HTTP, with the same credentials, limits and activity as REST.
 * What concerns the credential or the message as a whole is answered by the status, as anywhere; what a tool
 * refuses is its result.
 */
export const serveAgents = (service: Service): Entrance => {
  // 30 ms and 8 MB, which a server that no agent calls is spared.
  const protocol = lazy(async () => {
    const [{ startProtocol }, { nameCall }] = await Promise.all([
      import("./protocol.ts"),
      import("./method-names.ts"),
    ]);
    return { nameCall, respond: startProtocol(service) };
  });
  const app = newEntrance(service);
  mount(app, PLACE, async (context) => answer(service, protocol, context));
  return { places: [PLACE], app };
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
  checkOrigin(request, call, service.settings);
  admit(service, ANY_SCOPE, call, request, token);
  const bytes = await readBody(request, BODY);
  const caller = admitAgain(service, ANY_SCOPE, call, request, token);
  const message = parseJson(bytes, BODY);
  if (Array.isArray(message))
    throw new Refusal("malformed", "Send one message at a time: batches are not taken.");
  const { nameCall, respond } = await protocol();
  call.tool = nameCall(message);
  if (isObject(message) && message["method"] === "subscriptions/listen")
    return unknown(service, call, message["id"]);
  const response = await respond(request, message, { call, caller });
  return passOn(service, call, response);
};

/** A stream that stays open, to tell of changes: nothing here changes by itself, and the tools never do. */
const unknown = (service: Service, call: Call, id: unknown): Answered => {
  const error = {
    code: -32_601,
    message: "There are no subscriptions here: call find_tasks with since.",
  };
  return finish(service, call, 404, json({ jsonrpc: "2.0", id: id ?? null, error }));
};

/** The whole of it, so that what the call did stands in the activity before it is answered. */
const passOn = async (service: Service, call: Call, response: Response): Promise<Response> => {
  const body = await response.text();
  const type = response.headers.get("content-type");
  if (response.status === 200) call.outcome ??= protocolStatus(body);
  return finish(service, call, response.status, {
    body,
    headers: type === null ? {} : { "content-type": type },
  });
};

/**
 * The status that the activity tells of what the protocol itself answered: its errors come as success. In data,
 * quotes stand behind a backslash, so no text of a task reads like an error.
 */
const protocolStatus = (body: string): number => {
  const code = /"error":\{"code":(-?\d+)/.exec(body)?.[1];
  return code === undefined ? 200 : (PROTOCOL[code] ?? 400);
};

const PROTOCOL: Readonly<Record<string, number>> = {
  "-32601": 404,
  "-32602": 422,
  "-32603": 500,
};
