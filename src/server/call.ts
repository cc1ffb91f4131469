import type { Server } from "bun";
import type { Caller } from "../domain/people/account.ts";
import { isStored, type KeyedRequest, type StoredReply } from "../domain/calls/idempotency.ts";
import type { Clock, Instant } from "../domain/base/instant.ts";
import type { Quotas } from "../domain/calls/limiter.ts";
import { WIRE_WORDS, type Words } from "../domain/base/message.ts";
import { withoutSecrets } from "../domain/base/secret.ts";
import type { HeldBody } from "./checks/body.ts";
import { type Activity, clientName, type CallTrace, shownAs } from "../domain/calls/activity.ts";
import { isRecordId } from "../domain/base/text.ts";

/** One request, from its arrival to its reply. The checks and the handler fill in the fields that can change. */
export type Call = {
  readonly request: Request;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly now: Instant;
  /** In ms, on the steady clock. */
  readonly startedAt: number;
  /** The IP address that the connection comes from. A function, because most calls never need it. */
  readonly peer: () => string;
  /** The template of the path, such as `/tasks/{id}`, or `*` for an unknown path. */
  routeName: string;
  caller: Caller | null;
  /** The id in the path, decoded once. Null if the path has none. */
  pathId: string | null;
  /** The id after it, of a part of that record. Null if the path has none. */
  pathPart: string | null;
  /** How many calls the API key has left. Null until the limiter has been asked, and for sessions. */
  quotas: Quotas | null;
  tookToken: boolean;
  /** The record that the call read or changed, as `task:ID` or `folder:ID`. */
  touched: string | null;
  /** Set while the first request with its `Idempotency-Key` is in progress. */
  keyed: KeyedRequest | null;
  /** The memory of its body. Null until the body is read. */
  held: HeldBody | null;
  /** Whether the request has `dry_run=true`, so nothing may be changed. */
  dryRun: boolean;
  /** Over MCP: the name of the tool, or of the protocol's method if no tool is called. */
  tool: string | null;
  /**
   * The status for the activity list if it differs from the reply's own. Over MCP, a tool's refusal is sent with
   * status 200.
   */
  outcome: number | null;
  /** Whether the activity row and the reply for retries have been written. */
  recorded: boolean;
  /** The words in which a refusal names parts of the request, since REST and MCP name them differently. */
  words: Words;
};

/**
 * Where a request came from. `arrived` is the object that Bun passed in: only for that one does Bun know the IP
 * address, and the request may have been copied since to change its URL.
 */
export type Connection = {
  readonly server: Pick<Server<undefined>, "requestIP"> | null;
  readonly arrived: Request;
};

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Starts a call. Takes its id from `X-Request-Id` if that is 8 to 64 characters of A-Z, a-z, 0-9, _ and -; otherwise
 * makes a UUID. A credential sent in that header by mistake is cut out, because the id is logged.
 */
export const startCall = (
  request: Request,
  { server, arrived }: Connection,
  clock: Clock,
): Call => {
  const given = withoutSecrets(request.headers.get("x-request-id") ?? "");
  return {
    request,
    requestId: REQUEST_ID.test(given) ? given : crypto.randomUUID(),
    method: request.method,
    path: pathOf(request.url),
    now: clock.wall(),
    startedAt: clock.steady(),
    peer: () => server?.requestIP(arrived)?.address ?? "",
    routeName: "*",
    caller: null,
    pathId: null,
    pathPart: null,
    quotas: null,
    tookToken: false,
    touched: null,
    keyed: null,
    held: null,
    dryRun: false,
    tool: null,
    outcome: null,
    recorded: false,
    words: WIRE_WORDS,
  };
};

/** Returns the path as it was sent, without the query. Nothing is decoded. */
const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start === -1 ? "/" : url.slice(start, end === -1 ? undefined : end);
};

/** The endpoint at a path: its name (see `endpointName`), its methods, and the ids in the path. */
export type Match = {
  readonly name: string;
  readonly methods: ReadonlySet<string>;
  readonly id: string | null;
  readonly part: string | null;
  /** Answers the request if another app serves the path. */
  readonly forward?: (call: Call) => Answered;
};

/** Returns the endpoint at a path. Null for an unknown path. */
export type Finder = (path: string) => Match | null;

/**
 * Returns a function that finds the endpoint at a path, whatever the method. Elysia's router matches method and path
 * together, but 405 needs to know that the path allows another method. A parameter is one segment, decoded once; a
 * path with a segment that cannot be decoded is unknown. One trailing slash is ignored, as in the router.
 */
export const matcherOf = (endpoints: readonly Endpoint[]): ((path: string) => Match | null) => {
  const templates = [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]) => ({
    path,
    segments: path.split("/"),
    match: {
      name: endpointName(path),
      methods: new Set(group.map(({ method }) => method as string)),
      id: null,
      part: null,
    },
  }));
  const fixed = new Map(
    templates.filter((one) => !isOpen(one)).map(({ path, match }) => [path, match]),
  );
  const open = templates
    .filter(isOpen)
    .toSorted((a, b) => Number(a.path.endsWith("*")) - Number(b.path.endsWith("*")));
  return (sent) => {
    const path = /[^/]\/$/.test(sent) ? sent.slice(0, -1) : sent;
    const exact = fixed.get(path);
    if (exact) return exact;
    const segments = path.split("/");
    const template = open.find((one) => fits(one.segments, segments));
    if (!template?.path.includes(":")) return template?.match ?? null;
    const ids = segments.filter((_, at) => isParameter(template.segments[at])).map(decode);
    const [id = null, part = null] = ids;
    return ids.every(Boolean) ? { ...template.match, id, part } : null;
  };
};

const isOpen = ({ path }: { readonly path: string }): boolean => /:|\*$/.test(path);

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.at(-1) === "*"
    ? segments.length >= template.length && begins(template.slice(0, -1), segments)
    : template.length === segments.length && begins(template, segments);

const begins = (template: readonly string[], segments: readonly string[]): boolean =>
  template.every((part, index) => isParameter(part) || part === segments[index]);

const isParameter = (part: string | undefined): boolean => part?.startsWith(":") ?? false;

const decode = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

/**
 * Returns what is recorded of a call: its activity row if an API key made it, and its reply if it had an
 * `Idempotency-Key`.
 */
export const traceOf = (call: Call, status: number, reply: Reply): CallTrace => ({
  activity: activityOf(call, status),
  reply: storedReplyOf(call, status, reply),
});

const storedReplyOf = (
  call: Call,
  status: number,
  { body, headers }: Reply,
): StoredReply | null => {
  if (!call.keyed || !isStored(status) || typeof body !== "string") return null;
  const { now: at, touched } = call;
  return { ...call.keyed, at, status, body, etag: headers?.["etag"] ?? null, touched };
};

/** Returns the call's row in the activity list. Null unless an API key made the call. */
const activityOf = (call: Call, status: number): Activity | null =>
  call.caller?.kind === "api_key"
    ? shownAs({
        keyId: call.caller.id,
        accountId: call.caller.account.id,
        at: call.now,
        method: call.method,
        route: call.routeName,
        status: call.outcome ?? status,
        touched: call.touched,
        client: clientName(call.request.headers.get("user-agent")),
        tookToken: call.tookToken,
        dryRun: call.dryRun,
        tool: call.tool,
      })
    : null;

type Kind = "folder" | "task";

/** Returns the record with an id that was sent, as the activity list names it. Null if no record can have that id. */
export const nameSent = (kind: Kind | "claim", id: unknown): string | null =>
  kind !== "claim" && isRecordId(id) ? withoutSecrets(`${kind}:${id}`) : null;

/**
 * Returns the record that a write returned, as the activity list names it: `task:ID` or `folder:ID`. Null if it
 * returned none.
 */
export const nameRecord = (kind: Kind | "claim", value: unknown): string | null => {
  if (kind === "claim") return nameRecord("task", value);
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? `${kind}:${id}` : null;
};

/** A handler's reply: text or bytes that are already encoded, and any headers they need. */
export type Reply = {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> | string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A reply whose body is a string, not a stream. `status` is another one than that of the route. */
export type TextReply = Reply & { readonly body: string; readonly status?: 200 };

export const json = (
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): TextReply => ({
  body: JSON.stringify(value),
  headers,
});

/** Returns a JSON reply from parts that are already JSON text: `{"name":[a,b],...rest}`. */
export const jsonList = (name: string, items: readonly string[], rest: object = {}): TextReply => {
  const tail = JSON.stringify(rest).slice(1);
  return { body: `{"${name}":[${items.join(",")}]${tail === "}" ? "" : ","}${tail}` };
};

/** A method and a path. */
export type Endpoint = {
  readonly method: "GET" | "PATCH" | "POST";
  /**
   * From the root. Its parameters are `:id`, and one more for a part of that record. With `/*` at its end: every path below
   * that no other endpoint has.
   */
  readonly path: string;
};

/** Every path that nothing else has. */
export const ANY_PATH = "/*";

/** Returns a path as the activity list and the logs show it: `/tasks/:id` becomes `/tasks/{id}`. */
export const endpointName = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** Most calls have their response at once. Only those that must be recorded first return a promise. */
export type Answered = Promise<Response> | Response;
