import { finish, refuse } from "../server/respond.ts";
import {
  type Context,
  type EntryPoint,
  mount,
  newEntryPoint,
  useBearer,
} from "../server/elysia.ts";
import type { Service } from "../server/service.ts";
import { admissionHook, type ApiContext, type Route } from "./route.ts";
import { answerWrite } from "./edits.ts";

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

const answer = async (service: Service, route: Route, context: Context): Promise<Response> => {
  const { call } = context;
  const apiContext = contextOf(service, context);
  try {
    const { status, reply } = route.present
      ? await answerWrite(call, route, apiContext)
      : { status: route.success, reply: await route.handle(apiContext) };
    return await finish(service, call, status, reply);
  } catch (error) {
    return refuse(service, call, error);
  }
};

const contextOf = (service: Service, { call, request, query, body }: Context): ApiContext => ({
  service,
  store: service.store,
  caller: call.caller,
  request,
  peer: call.peer,
  pathId: call.pathId,
  pathPart: call.pathPart,
  query,
  body,
  now: call.now,
});
