import type { Server } from "bun";
import { bearer } from "@elysiajs/bearer";
import { type AnyElysia, Elysia, status } from "elysia";
import type { ElysiaAdapter } from "elysia/adapter";
import { BunAdapter } from "elysia/adapter/bun";
import type { Call } from "./call.ts";
import { tokenOf } from "./checks/authorization.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Answered } from "./finish.ts";

// Where Elysia has to be bent to what this server needs. Each function says why, and has a test
// (test/server/elysia.test.ts) that fails once a new version makes it needless or wrong.

/** What a hook or handler gets, as far as ours use it. */
export type Context = {
  readonly call: Call;
  readonly request: Request;
  readonly query: unknown;
  readonly body: unknown;
};

/**
 * How Elysia reads a request's fields for hooks that ask for them: it would copy all of them into an object, for each
 * call. The only one that is asked for is the credential; all else reads the request itself.
 */
const ONE_HEADER: ElysiaAdapter = {
  ...BunAdapter,
  composeHandler: {
    ...BunAdapter.composeHandler,
    headers: "c.headers={authorization:c.request.headers.get('authorization')??undefined}\n",
  },
};

/**
 * An app whose context holds the call. Elysia normalises values unless told otherwise, and would bend a body until it
 * fits: text into {}, {"length":1,...} into an array.
 */
export const newApp = () =>
  new Elysia({ normalize: false, adapter: ONE_HEADER }).decorate("call", null as unknown as Call);

/**
 * Leaves bodies where they are: Elysia would parse them before it can be asked who sent them, takes forms for JSON,
 * and ignores `charset`. A hook reads the body later, and puts it into the context. With no parser at all
 * (`parse: "none"`) Elysia would not hold it against the schema either.
 */
export const leaveBodies = <App extends { onParse: (parse: () => object) => unknown }>(
  app: App,
): App => {
  app.onParse(() => ({}));
  return app;
};

/**
 * Puts the token of the `Authorization` field into the context as `bearer`. The plugin takes the scheme in one case
 * only and anything behind it for the token, so what it reads is put right first. It would also take a token from the
 * query, where logs and histories keep it: no query can name the parameter that it is given, a lone surrogate.
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
 * Adds an endpoint to an app. Its hooks and handler are typed here, once, for all of them. Of a handler that
 * is not an async function, whoever mounts it must answer what fails after it has returned.
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
 * Elysia reads a handler's source for what it uses, and for whether to wait for it: of one that hands its context on
 * it thinks the worst, makes a jar of cookies, and then every reply anew, its body as a stream.
 */
const readable = <Handler extends (context: Context) => Answered | null>(
  handle: Handler,
): Handler => {
  const source = `${isAsync(handle) ? "async " : ""}({ call, request, query, body }) => {}`;
  return Object.assign(handle, { toString: () => source });
};

/** Ends a request in a transform, whose return value Elysia ignores unless it is such a status. */
export const answerNow = (response: Response) => status(response.status as 200, response);

type Hook = { readonly fn: object; isAsync?: boolean };

/**
 * Tells Elysia which hooks are asynchronous. It guesses so from their source, of nearly every one, and then each call
 * waits for a promise's turn behind each of them.
 */
export const tellAsync = (hooks: readonly Hook[] = []): void => {
  for (const hook of hooks) hook.isAsync = isAsync(hook.fn);
};

const isAsync = (fn: object): boolean => fn.constructor.name === "AsyncFunction";

/** Takes the parsers from all GET routes of an app: no body is read there, but Elysia would wait for one. */
export const expectNoBodies = ({ routes }: Pick<AnyElysia, "routes">): void => {
  for (const { method, hooks } of routes) if (method === "GET") hooks.parse = [];
};

/**
 * A request with a host name long enough for Elysia, which looks for the path behind the address's 11th character: a
 * short name (`http://nas/`) has none there. The `Host` field stays as it was sent.
 */
export const withLongName = (request: Request): Request => {
  const path = request.url.indexOf("/", 8);
  return path >= 11 ? request : new Request(`http://localhost${request.url.slice(path)}`, request);
};

/** Bun's own cap answers 413 without a body, so it lies far above ours. */
const TRANSPORT_CAP = 2 ** 40;

/**
 * Listens, without Elysia's own `listen`: that shares the port with every other server that asks for it, compiles
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
    // Seconds. Honest uploads over slow lines pause for longer than Bun's 10.
    idleTimeout: 60,
    maxRequestBodySize: TRANSPORT_CAP,
    ...(tls ? { tls: { ...tls } } : {}),
  });
