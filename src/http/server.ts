import { bearer } from "@elysiajs/bearer";
import { status } from "elysia";
import type { Call } from "../server/call.ts";
import { tokenOf } from "../server/request-checks.ts";
import { type Answered, finish, refuse } from "../server/finish.ts";
import { type Context, type Entrance, mount, newEntrance } from "../server/elysia.ts";
import type { Service } from "../server/service.ts";
import type { StoredReply } from "../domain/calls/idempotency.ts";
import { andThen } from "../domain/base/maybe-promise.ts";
import type { ApiContext } from "./context.ts";
import { admitToRoute, takeBody } from "./admission.ts";
import { answerWrite } from "./write.ts";
import type { Route } from "./route.ts";
import { refusalOf } from "./validation.ts";

/** No query can hold a lone surrogate, so no token is ever taken from one. */
const NO_QUERY = "\uD800";

/**
 * The entrance for programs. The order of the hooks is the order of the checks. Elysia would parse a
 * body before anything else could be asked, so its own parser reads nothing, and the guard reads the
 * body once it knows who sent it; Elysia's validation follows, unless the guard has the reply already.
 */
export const serveRoutes = (service: Service, routes: readonly Route[]): Entrance => {
  const app = newEntrance(service, refusalOf)
    .onTransform(({ headers }) => {
      const token = tokenOf(headers["authorization"]);
      headers["authorization"] = token === null ? undefined : `Bearer ${token}`;
    })
    .use(bearer({ extract: { header: "Bearer", query: NO_QUERY, body: NO_QUERY } }));
  for (const route of routes)
    mount(app, route, (context) => answer(service, route, context), {
      query: route.query,
      body: route.body,
      transform: [
        ({ call, request, bearer: token }: Asked) =>
          admitToRoute(service, route, call, request, token),
        ...(route.body || route.form ? [reading(service, route)] : []),
      ],
    });
  return { places: routes, app };
};

/** Puts the body where Elysia validates it. The context is not handed on as a whole: see `mount`. */
const reading = (service: Service, route: Route) => async (context: Asked) => {
  const { call, request, bearer: token } = context;
  const taken = await takeBody(service, route, call, request, token);
  // What is returned instead is answered instead.
  if (taken.kept) return status(taken.kept.status, await replay(service, call, taken.kept));
  context.body = taken.body;
  return undefined;
};

type Asked = {
  readonly call: Call;
  readonly request: Request;
  readonly bearer: string | undefined;
  body: unknown;
};

/** The reply of before, to the letter, marked as such. */
const replay = (service: Service, call: Call, kept: StoredReply): Answered => {
  call.touched = kept.touched;
  const etag = kept.etag === null ? {} : { etag: kept.etag };
  const headers = { "idempotency-replayed": "true", ...etag };
  return finish(service, call, kept.status, { body: kept.body, headers });
};

const answer = (service: Service, route: Route, context: Context): Answered => {
  const { call } = context;
  const apiContext = askOf(service, context);
  const answered = route.present
    ? answerWrite(call, route, apiContext).then((made) =>
        finish(service, call, made.status, made.reply),
      )
    : andThen(route.handle(apiContext), (reply) => finish(service, call, route.success, reply));
  return answered instanceof Promise
    ? answered.catch((error: unknown) => refuse(service, call, refusalOf(error), error))
    : answered;
};

const askOf = (service: Service, { call, request, query, body }: Context): ApiContext => ({
  service,
  store: service.store,
  caller: call.caller,
  request,
  peer: call.peer,
  client: call.client,
  pathId: call.pathId,
  query,
  body,
  now: call.now,
});
