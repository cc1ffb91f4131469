import type { Server } from "bun";
import { type AnyElysia, Elysia, status } from "elysia";
import { lazy } from "../domain/base/lazy.ts";
import {
  ANY_PATH,
  type Answered,
  type Call,
  type Endpoint,
  type Finder,
  type Match,
  matcherOf,
} from "./call.ts";
import { answerBug, refuse } from "./respond.ts";
import { isForPerson, keepsHttps, tokenOf } from "./checks/request.ts";
import { beginCall, checkRequest, refuseEarly } from "./request-order.ts";
import type { Service } from "./service.ts";
import { bearer } from "@elysiajs/bearer";
import type { ElysiaAdapter } from "elysia/adapter";
import { BunAdapter } from "elysia/adapter/bun";

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
      (find) => {
        const later = find(call.path);
        return check(service, call, later?.name === ANY_PATH && !isForPerson(call) ? null : later);
      },
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

// Workarounds for Elysia. Each function says why it is needed, and has a test in test/server/elysia.test.ts that
// fails once a new version makes it unnecessary or wrong.

/** The part of Elysia's context that our hooks and handlers use. */
export type Context = {
  readonly call: Call;
  readonly request: Request;
  readonly query: unknown;
  readonly body: unknown;
};

/**
 * Replaces how Elysia reads headers for hooks that ask for them: it would copy them all into an object for each call.
 * Hooks ask only for the credential. Everything else reads the request itself.
 */
const ONE_HEADER: ElysiaAdapter = {
  ...BunAdapter,
  composeHandler: {
    ...BunAdapter.composeHandler,
    headers: "c.headers={authorization:c.request.headers.get('authorization')??undefined}\n",
  },
};

/**
 * Returns an app whose context holds the call. By default Elysia changes a body until it fits its schema: text
 * becomes {}, and {"length":1,...} becomes an array. That is switched off.
 */
export const newApp = () =>
  new Elysia({ normalize: false, adapter: ONE_HEADER }).decorate("call", null as unknown as Call);

/**
 * Stops Elysia from parsing bodies. It would parse before the caller is known, accept forms as JSON, and ignore
 * `charset`. A hook reads the body later and puts it into the context. Switching the parser off (`parse: "none"`)
 * would also make Elysia wait on routes without a body.
 */
export const leaveBodies = <App extends { onParse: (parse: () => object) => unknown }>(
  app: App,
): App => {
  app.onParse(() => ({}));
  return app;
};

/**
 * Puts the token of the `Authorization` header into the context as `bearer`. The plugin accepts the scheme in one
 * case only, and anything after it as a token, so the header is cleaned up first. The plugin would also accept a
 * token from the query, which logs and browser histories keep. It gets a parameter name that no query can contain: a
 * lone surrogate.
 */
export const useBearer = (app: AnyElysia): AnyElysia =>
  app
    .onTransform(({ headers }) => {
      const token = tokenOf(headers["authorization"]);
      headers["authorization"] = token === null ? undefined : `Bearer ${token}`;
    })
    .use(bearer({ extract: { header: "Bearer", query: NEVER_SENT, body: NEVER_SENT } }));

const NEVER_SENT = "\uD800";

type Mountable = { route: (method: string, path: string, handle: never, hooks: never) => unknown };

/**
 * Adds an endpoint to an app. The types of all hooks and handlers are set here, once. If a handler returns a promise
 * without being an async function, it must answer the promise's failure itself: Elysia will not.
 */
export const mount = (
  app: Mountable,
  { method, path }: Endpoint,
  handle: (context: Context) => Answered | null,
  hooks: Readonly<Record<string, unknown>> = {},
): void => {
  app.route(method, path, readable(handle) as never, hooks as never);
};

/**
 * Elysia reads a handler's source to find out what it uses and whether to await it. If a handler passes its context
 * on, Elysia assumes that it uses everything: it creates a cookie jar, and then builds every reply again with its
 * body as a stream. So this shows Elysia a source that names what is used.
 */
const readable = <Handler extends (context: Context) => Answered | null>(
  handle: Handler,
): Handler => {
  const source = `${isAsync(handle) ? "async " : ""}({ call, request, query, body }) => {}`;
  return Object.assign(handle, { toString: () => source });
};

/** Ends a request from a transform hook. Elysia ignores what a transform returns, except for a status like this. */
export const answerNow = (response: Response) => status(response.status as 200, response);

type Hook = { readonly fn: object; isAsync?: boolean };

/**
 * Tells Elysia which hooks are asynchronous. It guesses this from their source, takes nearly every hook for
 * asynchronous, and then each call waits for a promise after each hook.
 */
export const tellAsync = (hooks: readonly Hook[] = []): void => {
  for (const hook of hooks) hook.isAsync = isAsync(hook.fn);
};

const isAsync = (fn: object): boolean => fn.constructor.name === "AsyncFunction";

/** Removes the parsers from all GET routes of an app. They have no body, but Elysia would wait for one. */
export const expectNoBodies = ({ routes }: Pick<AnyElysia, "routes">): void => {
  for (const { method, hooks } of routes) if (method === "GET") hooks.parse = [];
};

/**
 * Returns the request with a host name long enough for Elysia, which looks for the path after the URL's 11th
 * character. With a short name (`http://nas/`) it would miss the path. The `Host` header is unchanged.
 */
export const withLongName = (request: Request): Request => {
  const path = request.url.indexOf("/", 8);
  return path >= 11 ? request : new Request(`http://localhost${request.url.slice(path)}`, request);
};

/** In bytes. Bun's own limit answers 413 without a body, so it is set far above ours. */
const TRANSPORT_CAP = 2 ** 40;

/**
 * For TLS 1.2: only suites with forward secrecy and authenticated encryption, so that nobody who gets hold of the key
 * later can read what was recorded (RFC 9325, 4.2). By default Bun takes others too. TLS 1.3 has no others.
 */
const CIPHERS = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/**
 * Starts listening, without Elysia's `listen`: that shares the port with any other server that asks for it, compiles
 * everything twice, and collects garbage before the first call.
 */
export const listen = (
  handlers: {
    readonly fetch: (request: Request, server: Server<undefined>) => Answered;
    readonly error: (cause: unknown) => Response;
  },
  host: string,
  port: number,
  tls: { readonly cert: string; readonly key: string } | null,
) =>
  Bun.serve({
    ...handlers,
    hostname: host,
    port,
    reusePort: false,
    development: false,
    // In seconds. Uploads over slow connections pause for longer than Bun's default of 10.
    idleTimeout: 60,
    maxRequestBodySize: TRANSPORT_CAP,
    ...(tls ? { tls: { ...tls, ciphers: CIPHERS } } : {}),
  });
