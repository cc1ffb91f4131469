import { type Answered, finish, refuse } from "../server/finish.ts";
import { type Context, mount, useBearer } from "../server/elysia.ts";
import { type EntryPoint, newEntryPoint } from "../server/entry-points.ts";
import type { Service } from "../server/service.ts";
import { andThen, orElse } from "../domain/base/maybe-promise.ts";
import type { ApiContext } from "./context.ts";
import { admissionHook } from "./admission.ts";
import { answerWrite } from "./write.ts";
import type { Route } from "./route.ts";

/** The entry point for programs. */
export const serveRoutes = (service: Service, routes: readonly Route[]): EntryPoint => {
  const app = useBearer(newEntryPoint(service));
  for (const route of routes)
    mount(app, route, (context) => answer(service, route, context), {
      query: route.query,
      transform: [admissionHook(service, route)],
    });
  return { endpoints: routes, app };
};

const answer = (service: Service, route: Route, context: Context): Answered => {
  const { call } = context;
  const apiContext = contextOf(service, context);
  return orElse(
    () =>
      route.present
        ? answerWrite(call, route, apiContext).then(({ status, reply }) =>
            finish(service, call, status, reply),
          )
        : andThen(route.handle(apiContext), (reply) => finish(service, call, route.success, reply)),
    (thrown) => refuse(service, call, thrown),
  );
};

const contextOf = (service: Service, { call, request, query, body }: Context): ApiContext => ({
  service,
  store: service.store,
  caller: call.caller,
  request,
  peer: call.peer,
  pathId: call.pathId,
  query,
  body,
  now: call.now,
});
