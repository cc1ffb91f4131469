import type { Server } from "bun";
import { type AnyElysia, Elysia } from "elysia";
import type { ElysiaAdapter } from "elysia/adapter";
import { BunAdapter } from "elysia/adapter/bun";
import { lazy } from "../domain/base/lazy.ts";
import { Refusal } from "../domain/base/refusal.ts";
import { type Call, startCall } from "./call.ts";
import { checkRequest } from "./request-checks.ts";
import { type Answered, answerBug, refuse } from "./finish.ts";
import { matcherOf } from "./match.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Service } from "./service.ts";

/** One way in: the places it serves, and the app that serves them once the door has let a call in. */
export type Entrance = { readonly places: readonly Endpoint[]; readonly app: AnyElysia };

/**
 * The app of an entrance, which is handed the call by the door and reads the bodies itself. `refusalOf` tells which
 * errors are refusals; all others are bugs.
 */
export const newEntrance = (
  service: Service,
  refusalOf: (error: unknown) => Refusal | null = (error) =>
    error instanceof Refusal ? error : null,
) =>
  new Elysia({ normalize: false })
    .decorate("call", null as unknown as Call)
    .onParse(() => ({}))
    .onError(async ({ call, error }) => refuse(service, call, refusalOf(error), error));

/** What a hook or handler of an entrance's app gets, as far as ours use it. */
export type Context = {
  readonly call: Call;
  readonly request: Request;
  readonly query: unknown;
  readonly body: unknown;
};

/** Entrances that are there once someone asks for them. */
export type Later = () => Promise<readonly Entrance[]>;

/**
 * All entrances behind one door, as `Bun.serve` calls it. What the door settles it settles for each; what comes after
 * (who may call, bodies, replies, errors) is the entrance's own. Those of `later` are for paths that the others do not
 * have.
 */
export const serveEntrances = (service: Service, entrances: readonly Entrance[], later: Later) => {
  const match = matcherOf(placesOf(entrances));
  const calls = new WeakMap<Request, Call>();
  const others = lazy(async () => {
    const found = await later();
    const app = gather(found, service).onRequest((context) => {
      context.call = calls.get(context.request) ?? context.call;
    });
    return { match: matcherOf(placesOf(found)), answer: app.fetch };
  });
  const elsewhere = async (request: Request, call: Call): Promise<Response> => {
    const { match: matchOther, answer } = await others();
    calls.set(request, call);
    return (await checkRequest(service, matchOther(call.path), request, call)) ?? answer(request);
  };
  let server: Server<undefined> | null = null;
  const peerOf = (request: Request): string =>
    server?.requestIP(arrived.get(request) ?? request)?.address ?? "";
  const meet = (request: Request, call: Call): Answered | null => {
    const found = match(call.path);
    return found ? checkRequest(service, found, request, call) : elsewhere(request, call);
  };
  const app = gather(entrances, service).onRequest((context) => {
    const { request } = context;
    const call = startCall(request, () => peerOf(request), service.clock);
    context.call = call;
    const answered = meet(request, call);
    return answered instanceof Promise
      ? answered.catch((error: unknown) => refuse(service, call, null, error))
      : answered;
  });
  tellAsync(app.event.request);
  const { fetch } = app.compile();
  return {
    fetch: (request: Request, askedOf: Server<undefined>): Answered => {
      server = askedOf;
      return fetch(withLongName(request));
    },
    /** What escapes all else: Bun would answer it in a form of its own. */
    error: (cause: unknown): Response => answerBug(service, cause),
  };
};

const placesOf = (entrances: readonly Entrance[]): readonly Endpoint[] =>
  entrances.flatMap(({ places }) => places);

/**
 * How Elysia reads a request's fields for hooks that ask for them: it would copy all of them into an object, for each
 * call. The only one that is asked for is the credential; all else reads the request itself.
 */
const ADAPTER: ElysiaAdapter = {
  ...BunAdapter,
  composeHandler: {
    ...BunAdapter.composeHandler,
    headers: "c.headers={authorization:c.request.headers.get('authorization')??undefined}\n",
  },
};

/** One app of several entrances. The last hook is for the door alone: what fails in an entrance is answered there. */
const gather = (entrances: readonly Entrance[], service: Service) => {
  // Normalising would bend a body until it fits: text into {}, {"length":1,...} into an array.
  const app = new Elysia({ normalize: false, adapter: ADAPTER }).decorate(
    "call",
    null as unknown as Call,
  );
  for (const entrance of entrances) app.use(entrance.app);
  for (const { method, hooks } of app.routes) {
    tellAsync(hooks.transform);
    // Of a GET no body is read, and so nothing is waited for.
    if (method === "GET") hooks.parse = [];
  }
  return app.onError(async ({ call, error }) => refuse(service, call, null, error));
};

/**
 * Tells Elysia which hooks are asynchronous. It guesses so from their source, of nearly every one, and then each call
 * waits for a promise's turn behind each of them.
 */
const tellAsync = (hooks: readonly Hook[] = []): void => {
  for (const hook of hooks) hook.isAsync = isAsync(hook.fn);
};

const isAsync = (fn: object): boolean => fn.constructor.name === "AsyncFunction";

type Hook = { readonly fn: object; isAsync?: boolean };

/** Requests as they arrived, for those that were given another address. */
const arrived = new WeakMap<Request, Request>();

/**
 * Elysia looks for the path behind the address's 11th character, where a short host name (`http://nas/`)
 * has none. The `Host` field, which is what the door looks at, stays as it was sent.
 */
const withLongName = (request: Request): Request => {
  const path = request.url.indexOf("/", 8);
  if (path >= 11) return request;
  const renamed = new Request(`http://localhost${request.url.slice(path)}`, request);
  arrived.set(renamed, request);
  return renamed;
};

type Mount = { route: (method: string, path: string, handle: never, hooks: never) => unknown };

/**
 * Adds a place to an entrance's app. Its hooks and handler are typed here, once, for all of them. Of a handler that
 * is not an async function, the entrance itself must answer what fails after it has returned.
 */
export const mount = (
  app: Mount,
  { method, path }: Endpoint,
  handle: (context: Context) => Answered | null,
  hooks: Readonly<Record<string, unknown>> = {},
): void => {
  app.route(method, path, readable(handle) as never, hooks as never);
};

/**
 * Elysia reads a handler's source for what it uses, and for whether to wait for it: of one that hands its context on
 * it thinks the worst, makes a jar of cookies, and then every reply anew, its body as a stream.
 */
const readable = (handle: (context: Context) => Answered | null) => {
  const source = `${isAsync(handle) ? "async " : ""}({ call, request, query, body }) => {}`;
  return Object.assign((context: Context) => handle(context), { toString: () => source });
};
