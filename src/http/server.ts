import { bearer } from "@elysiajs/bearer";
import { Elysia } from "elysia";
import type { Call } from "../door/call.ts";
import { tokenOf } from "../door/door.ts";
import { finish, refuse } from "../door/finish.ts";
import type { Reply } from "../door/reply.ts";
import { type Context, type Entrance, mount } from "../door/server.ts";
import type { Service } from "../door/service.ts";
import type { Ask } from "./ask.ts";
import { admit } from "./guard.ts";
import { recordingStore } from "./recording.ts";
import type { Route } from "./route.ts";
import { refusalOf } from "./validation.ts";

/** No query can hold a lone surrogate, so no token is ever taken from one. */
const NO_QUERY = "\uD800";

/**
 * The entrance for programs. The order of the hooks is the order of the checks. Elysia would parse a
 * body before anything else could be asked, so its own parser reads nothing, and the guard reads the
 * body once it knows who sent it; Elysia's validation follows.
 */
export const serveRoutes = (service: Service, routes: readonly Route[]): Entrance => {
  const app = new Elysia({ normalize: false })
    .decorate("call", null as unknown as Call)
    .onParse(() => ({}))
    .onTransform(({ headers }) => {
      const token = tokenOf(headers["authorization"]);
      headers["authorization"] = token === null ? undefined : `Bearer ${token}`;
    })
    .use(bearer({ extract: { header: "Bearer", query: NO_QUERY, body: NO_QUERY } }))
    .onError(({ call, error }) => refuse(service, call, refusalOf(error), error));
  for (const route of routes)
    mount(app, route, (context) => answer(service, route, context), {
      query: route.query,
      body: route.body,
      transform: async (context: Admitted) => {
        context.body = await admit(service, route, context.call, context.request, context.bearer);
      },
    });
  return { places: routes, app };
};

type Admitted = {
  readonly call: Call;
  readonly request: Request;
  readonly bearer: string | undefined;
  body: unknown;
};

const answer = async (service: Service, route: Route, context: Context): Promise<Response> => {
  const { call } = context;
  const reply = await route.handle(askOf(service, route, context));
  return finish(service, call, route.success, reply satisfies Reply);
};

const askOf = (service: Service, route: Route, { call, request, query, body }: Context): Ask => {
  // A read of a key is recorded when it is answered; its lease writes are no work of the key's.
  const recording = call.caller?.kind === "api_key" && route.method !== "GET";
  return {
    service,
    store: recording ? recordingStore(service.store, call, route) : service.store,
    caller: call.caller,
    request,
    peer: call.peer,
    client: call.client,
    pathId: call.pathId,
    query,
    body,
    now: call.now,
  };
};
