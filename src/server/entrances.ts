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

/** One way in: its endpoints, and the app that serves them once a request has passed the first checks. */
export type Entrance = { readonly endpoints: readonly Endpoint[]; readonly app: AnyElysia };

/** The app of an entrance. The call is in its context; bodies are its own to read. */
export const newEntrance = (service: Service) =>
  leaveBodies(newApp()).onError(async ({ call, error }) => refuse(service, call, error));

/** Entrances that are loaded once someone asks for what they serve. */
export type LazyEntrances = () => Promise<readonly Entrance[]>;

/**
 * All entrances as one server, as `Bun.serve` calls it. The first checks are the same for each. What comes after (who
 * may call, bodies, replies, errors) is the entrance's own. A path that none of `entrances` has is looked for in the
 * lazy ones.
 */
export const serveEntrances = (
  service: Service,
  entrances: readonly Entrance[],
  lazyEntrances: LazyEntrances,
) => {
  const find = finderOf(service, entrances, lazyEntrances);
  /** Requests as they arrived, for those that were given another address. */
  const arrived = new WeakMap<Request, Request>();
  let server: Server<undefined> | null = null;
  const app = gather(entrances, service).onRequest((context) => {
    // Not handed on as a whole: see `mount`.
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
    /** What escapes all else: Bun would answer it in a form of its own. */
    error: (cause: unknown): Response => answerBug(service, cause),
  };
};

/** Finds what is at a path among the entrances, and else among those that have to be loaded first. */
const finderOf = (
  service: Service,
  entrances: readonly Entrance[],
  lazyEntrances: LazyEntrances,
): Finder => {
  const match = matcherOf(endpointsOf(entrances));
  const load = lazy(async () => forwarding(service, await lazyEntrances()));
  return (path) => match(path) ?? load().then((find) => find(path));
};

/** Finds what is at a path, and forwards the request to an app of its own, which is handed the call. */
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
 * One app of several entrances. The last hook catches what fails before a request has reached its entrance. A hook for
 * errors that stood before the entrances' own would be asked first, and theirs never.
 */
const gather = (entrances: readonly Entrance[], service: Service) => {
  const app = newApp();
  for (const entrance of entrances) app.use(entrance.app);
  for (const { hooks } of app.routes) tellAsync(hooks.transform);
  expectNoBodies(app);
  return app.onError(async ({ call, error }) => refuse(service, call, error));
};
