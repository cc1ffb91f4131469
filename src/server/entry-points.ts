import type { Server } from "bun";
import type { AnyElysia } from "elysia";
import { lazy } from "../domain/base/lazy.ts";
import {
  type Call,
  type Endpoint,
  type Finder,
  type Match,
  matcherOf,
  type Answered,
} from "./call.ts";
import { expectNoBodies, leaveBodies, newApp, tellAsync, withLongName } from "./elysia.ts";
import { answerBug, refuse } from "./respond.ts";
import { keepsHttps } from "./origin.ts";
import { beginCall, checkRequest, refuseEarly } from "./request-order.ts";
import type { Service } from "./service.ts";

/** One entry point: its endpoints, and the app that serves them after a request has passed the first checks. */
export type EntryPoint = { readonly endpoints: readonly Endpoint[]; readonly app: AnyElysia };

/** Returns an empty app for an entry point. The call is in its context, and it reads bodies itself. */
export const newEntryPoint = (service: Service) =>
  leaveBodies(newApp()).onError(async ({ call, error }) => refuse(service, call, error));

/** Entry points that are loaded on the first request for one of their paths. */
export type LazyEntryPoints = () => Promise<readonly EntryPoint[]>;

/**
 * Serves all entry points as one server, in the form that `Bun.serve` takes. The first checks (steps 1 to 5 in
 * request-order.ts) are the same for all. The rest is up to each: who may call, bodies, replies, errors. A path that
 * none of `entryPoints` has is looked up in the lazy ones.
 */
export const serveEntryPoints = (
  service: Service,
  entryPoints: readonly EntryPoint[],
  lazyEntryPoints: LazyEntryPoints,
) => {
  const match = matcherOf(endpointsOf(entryPoints));
  const findLater = lazy(async () => forwarding(service, await lazyEntryPoints()));
  /** The requests as Bun passed them in, for those whose URL was changed. */
  const arrived = new WeakMap<Request, Request>();
  let server: Server<undefined> | null = null;
  const app = gather(entryPoints, service).onRequest((context) => {
    // The context is taken apart here and not passed on: see `readable` in elysia.ts.
    const { request } = context;
    const connection = { server, arrived: arrived.get(request) ?? request };
    const call = beginCall(request, connection, service.clock);
    context.call = call;
    const found = match(call.path);
    // Without a promise if it can be: Bun copies a request that waits for one.
    if (found) return check(service, call, found);
    return findLater().then(
      (find) => check(service, call, find(call.path)),
      (error: unknown) => refuseEarly(service, call, error),
    );
  });
  tellAsync(app.event.request);
  const { fetch } = app.compile();
  return {
    fetch: (request: Request, from: Server<undefined>): Answered => {
      server = from;
      const named = withLongName(request);
      if (named !== request) arrived.set(named, request);
      const peer = (): string => from.requestIP(request)?.address ?? "";
      const answered: Answered = fetch(named);
      if (!keepsHttps(request, peer, service.settings)) return answered;
      return Promise.resolve(answered).then(withHsts);
    },
    /** Handles what nothing else caught. Bun would answer it with a page of its own. */
    error: (cause: unknown): Response => answerBug(service, cause),
  };
};

/** Steps 2 to 5. Returns null to let the request go on to its entry point. */
const check = (service: Service, call: Call, match: Match | null): Answered | null => {
  try {
    return checkRequest(service, match, call) ?? match?.forward?.(call) ?? null;
  } catch (error) {
    return refuseEarly(service, call, error);
  }
};

const withHsts = (response: Response): Response => {
  response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
};

/** Finds the endpoint at a path. The match forwards the request to an app of its own, together with the call. */
const forwarding = (service: Service, entryPoints: readonly EntryPoint[]): Finder => {
  const match = matcherOf(endpointsOf(entryPoints));
  const calls = new WeakMap<Request, Call>();
  const { fetch } = gather(entryPoints, service).onRequest((context) => {
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

const endpointsOf = (entryPoints: readonly EntryPoint[]): readonly Endpoint[] =>
  entryPoints.flatMap(({ endpoints }) => endpoints);

/**
 * Makes one app of several entry points. The last hook catches what fails before a request reaches its entry point.
 * It must come last: Elysia asks error hooks in the order in which they were added, and would never reach those of
 * the entry points.
 */
const gather = (entryPoints: readonly EntryPoint[], service: Service) => {
  const app = newApp();
  for (const entryPoint of entryPoints) app.use(entryPoint.app);
  for (const { hooks } of app.routes) tellAsync(hooks.transform);
  expectNoBodies(app);
  return app.onError(async ({ call, error }) => refuse(service, call, error));
};
