import type { Server } from "bun";
import type { AnyElysia } from "elysia";
import { lazy } from "../domain/base/lazy.ts";
import { andThen, orElse } from "../domain/base/maybe-promise.ts";
import type { Call } from "./call.ts";
import { expectNoBodies, leaveBodies, newApp, tellAsync, withLongName } from "./elysia.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Answered, answerBug, refuse } from "./finish.ts";
import { type Finder, matcherOf } from "./match.ts";
import { beginCall, checkRequest, refuseEarly } from "./request-order.ts";
import type { Service } from "./service.ts";

/** One entry point: its endpoints, and the app that serves them after a request has passed the first checks. */
export type Entrance = { readonly endpoints: readonly Endpoint[]; readonly app: AnyElysia };

/** Returns an empty app for an entry point. The call is in its context, and it reads bodies itself. */
export const newEntrance = (service: Service) =>
  leaveBodies(newApp()).onError(async ({ call, error }) => refuse(service, call, error));

/** Entry points that are loaded on the first request for one of their paths. */
export type LazyEntrances = () => Promise<readonly Entrance[]>;

/**
 * Serves all entry points as one server, in the form that `Bun.serve` takes. The first checks (steps 1 to 5 in
 * request-order.ts) are the same for all. The rest is up to each: who may call, bodies, replies, errors. A path that
 * none of `entrances` has is looked up in the lazy ones.
 */
export const serveEntrances = (
  service: Service,
  entrances: readonly Entrance[],
  lazyEntrances: LazyEntrances,
) => {
  const find = finderOf(service, entrances, lazyEntrances);
  /** The requests as Bun passed them in, for those whose URL was changed. */
  const arrived = new WeakMap<Request, Request>();
  let server: Server<undefined> | null = null;
  const app = gather(entrances, service).onRequest((context) => {
    // The context is taken apart here and not passed on: see `readable` in elysia.ts.
    const { request } = context;
    const connection = { server, arrived: arrived.get(request) ?? request };
    const call = beginCall(request, connection, service.clock);
    context.call = call;
    return orElse(
      () =>
        andThen(
          find(call.path),
          (match) => checkRequest(service, match, call) ?? match?.forward?.(call) ?? null,
        ),
      (thrown) => refuseEarly(service, call, thrown),
    );
  });
  tellAsync(app.event.request);
  const { fetch } = app.compile();
  return {
    fetch: (request: Request, from: Server<undefined>): Answered => {
      server = from;
      const named = withLongName(request);
      if (named !== request) arrived.set(named, request);
      return fetch(named);
    },
    /** Handles what nothing else caught. Bun would answer it with a page of its own. */
    error: (cause: unknown): Response => answerBug(service, cause),
  };
};

/** Finds the endpoint at a path among the entry points, then among those that are still to be loaded. */
const finderOf = (
  service: Service,
  entrances: readonly Entrance[],
  lazyEntrances: LazyEntrances,
): Finder => {
  const match = matcherOf(endpointsOf(entrances));
  const load = lazy(async () => forwarding(service, await lazyEntrances()));
  return (path) => match(path) ?? load().then((find) => find(path));
};

/** Finds the endpoint at a path. The match forwards the request to an app of its own, together with the call. */
const forwarding = (service: Service, entrances: readonly Entrance[]): Finder => {
  const match = matcherOf(endpointsOf(entrances));
  const calls = new WeakMap<Request, Call>();
  const { fetch } = gather(entrances, service).onRequest((context) => {
    context.call = calls.get(context.request) ?? context.call;
  });
  const forward = (call: Call): Answered => {
    calls.set(call.request, call);
    return fetch(call.request);
  };
  return (path) => {
    const found = match(path);
    return found && { ...found, forward };
  };
};

const endpointsOf = (entrances: readonly Entrance[]): readonly Endpoint[] =>
  entrances.flatMap(({ endpoints }) => endpoints);

/**
 * Makes one app of several entry points. The last hook catches what fails before a request reaches its entry point.
 * It must come last: Elysia asks error hooks in the order in which they were added, and would never reach those of
 * the entry points.
 */
const gather = (entrances: readonly Entrance[], service: Service) => {
  const app = newApp();
  for (const entrance of entrances) app.use(entrance.app);
  for (const { hooks } of app.routes) tellAsync(hooks.transform);
  expectNoBodies(app);
  return app.onError(async ({ call, error }) => refuse(service, call, error));
};
