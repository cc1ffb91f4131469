import { bearer } from "@elysiajs/bearer";
import { Elysia } from "elysia";
import type { Ask } from "./ask.ts";
import { type Call, startCall } from "./call.ts";
import { meetAtDoor, tokenOf } from "./door.ts";
import { finish, recordingStore, refuse } from "./finish.ts";
import { admit } from "./guard.ts";
import { matcherOf } from "./match.ts";
import { refusalOf } from "./refusals.ts";
import type { Reply } from "./reply.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";

/** No query can hold a lone surrogate, so no token is ever taken from one. */
const NO_QUERY = "\uD800";

/**
 * The routes behind the door, as an Elysia app. The order of the hooks is the order of the checks.
 * Elysia would parse a body before anything else could be asked, so its own parser reads nothing, and
 * the guard reads the body once it knows who sent it; Elysia's validation follows.
 */
export const serveRoutes = (service: Service, routes: readonly Route[]) => {
  const match = matcherOf(routes);
  // Normalising would bend a body until it fits: text into {}, {"length":1,...} into an array.
  const app = new Elysia({ systemRouter: false, normalize: false })
    .wrap((handle) => (request: unknown) => handle(withLongName(request as Request)))
    .decorate("call", null as unknown as Call)
    .onRequest(async (context) => {
      context.call = startCall(context.request, service.clock);
      return (await meetAtDoor(service, match, context.request, context.call)) ?? undefined;
    })
    .onParse(() => ({}))
    .onTransform(({ headers }) => {
      const token = tokenOf(headers["authorization"]);
      headers["authorization"] = token === null ? undefined : `Bearer ${token}`;
    })
    .use(bearer({ extract: { header: "Bearer", query: NO_QUERY, body: NO_QUERY } }))
    .onTransform(async (context) => {
      context.body = await admit(service, context.call, context.request, context.bearer);
    })
    .onAfterHandle(async ({ call, response }) =>
      finish(service, call, call.route?.success ?? 200, response as Reply),
    )
    .onError(async ({ call, error }) => refuse(service, call, refusalOf(error), error));
  for (const route of routes) mount(app, service, route);
  return app;
};

/**
 * Elysia looks for the path behind the address's 11th character, where a short host name (`http://nas/`)
 * has none. The `Host` field, which is what the door looks at, stays as it was sent.
 */
const withLongName = (request: Request): Request => {
  const path = request.url.indexOf("/", 8);
  return path < 11 ? new Request(`http://localhost${request.url.slice(path)}`, request) : request;
};

/** What a hook gives its handler, as far as this file uses it. */
type Context = {
  readonly call: Call;
  readonly request: Request;
  readonly query: unknown;
  readonly body: unknown;
};

type App = { route: (method: string, path: string, handle: never, hooks: never) => unknown };

const mount = (app: App, service: Service, route: Route): void => {
  const handle = ({ call, request, query, body }: Context): Promise<Reply> | Reply => {
    // A read of a key is recorded when it is answered; its lease writes are no work of the key's.
    const recording = call.caller?.kind === "api_key" && route.method !== "GET";
    const ask: Ask = {
      service,
      store: recording ? recordingStore(service.store, call) : service.store,
      caller: call.caller,
      request,
      pathId: call.pathId,
      query,
      body,
      now: call.now,
    };
    return route.handle(ask);
  };
  const schemas = { query: route.query, body: route.body };
  app.route(route.method, route.path, handle as never, schemas as never);
};
