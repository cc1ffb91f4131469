import type { Route } from "../route.ts";

// The headers and shared parameters of the document, under the names that it uses.

const text = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

const seconds = (description: string) => ({
  description,
  schema: { type: "integer", minimum: 0 },
  example: 7,
});

/** Reply headers. */
export const HEADERS = {
  "X-Request-Id": {
    ...text(
      "Identifies this call in the server's log. If you sent an X-Request-Id of 8 to 64 characters from A-Z, a-z, 0-9, _ and -, it is that one. Otherwise it is a new one.",
      "0b9f8a52-6f0e-4b39-9d35-3f1f6d6f2a10",
    ),
    required: true,
  },
  RateLimit: text(
    "For API keys: how many calls are left in each limit (r), and in how many seconds there will be more (t).",
    '"minute";r=59;t=60, "hour";r=599;t=3600',
  ),
  "RateLimit-Policy": text(
    "For API keys: how many calls (q) are allowed in how many seconds (w).",
    '"minute";q=60;w=60, "hour";q=600;w=3600',
  ),
  "Retry-After": seconds("How many whole seconds to wait, rounded up."),
  "WWW-Authenticate": text("See RFC 6750.", 'Bearer realm="docket"'),
  Allow: {
    ...text("The methods that the path allows.", "GET, POST, HEAD, OPTIONS"),
    required: true,
  },
  ETag: text(
    "The task's version. It changes whenever anything shown of the task changes.",
    '"1k2mz5nnv8b0u"',
  ),
  "Idempotency-Replayed": {
    description: "This request was answered before, and this is that answer again.",
    schema: { const: "true" },
  },
};

export type HeaderName = keyof typeof HEADERS;

/** Returns the headers of a reply, from the names of those it always has and those it may have. */
export const headersOf = (always: readonly HeaderName[], may: readonly HeaderName[]) =>
  Object.fromEntries([
    ["X-Request-Id", headerRef("X-Request-Id")],
    ...always.map((name) => [name, alwaysThere(name)]),
    ...may.filter((name) => !always.includes(name)).map((name) => [name, headerRef(name)]),
  ]);

const alwaysThere = (name: HeaderName) =>
  "required" in HEADERS[name] ? headerRef(name) : { ...HEADERS[name], required: true };

const headerRef = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });

/** Parameters that follow from a route's line: its path and its method. */
export const PARAMETERS = {
  Id: {
    name: "id",
    in: "path",
    required: true,
    description: "The record's id, percent-encoded as one path segment.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
    example: "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b77",
  },
  Note: {
    name: "note",
    in: "path",
    required: true,
    description: "The note's id, percent-encoded as one path segment.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
    example: "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b79",
  },
  DryRun: {
    name: "dry_run",
    in: "query",
    description:
      "Try the call without changing anything. You get 200 with what the call would return and `dry_run: true`, or the refusal. Any Idempotency-Key is ignored.",
    schema: { type: "boolean", default: false },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A name you choose for this one request, such as a new UUID. For 24 hours, the same request gets the first answer again and nothing is done twice. A different body with the same key is refused with 422.",
    schema: {
      type: "string",
      pattern: '^(?:"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-+\\--~]{1,255})$',
    },
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "An ETag. If the task is no longer at that version, the change is refused with 412.",
    schema: { type: "string" },
    example: '"1k2mz5nnv8b0u"',
  },
};

/** Whether a route takes `If-Match`: it changes one task. */
export const takesIfMatch = ({ method, path }: Route): boolean =>
  method === "PATCH" && path.includes(":id");

/** Returns one route's parameters that come after those of its query. */
export const parametersOf = (route: Route) => {
  const names: readonly (keyof typeof PARAMETERS)[] = [
    ...(route.path.includes(":id") ? ["Id" as const] : []),
    ...(route.path.includes(":note") ? ["Note" as const] : []),
    ...(route.present ? ["DryRun" as const, "IdempotencyKey" as const] : []),
    ...(takesIfMatch(route) ? ["IfMatch" as const] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
};
