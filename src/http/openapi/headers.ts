import type { Route } from "../route.ts";

// The fields of requests and replies that the document tells of, by the names under which they stand in it.

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

/** Fields of replies. */
export const HEADERS = {
  "X-Request-Id": {
    ...text(
      "The call's name in the server's log: the one that was sent (8 to 64 of A-Z, a-z, 0-9, _ and -), else a new one.",
      "0b9f8a52-6f0e-4b39-9d35-3f1f6d6f2a10",
    ),
    required: true,
  },
  RateLimit: text(
    "To keys: what is left of both limits (r), and in how many seconds more comes (t).",
    '"minute";r=59;t=60, "hour";r=599;t=3600',
  ),
  "RateLimit-Policy": text(
    "To keys: how many calls (q) are admitted in how many seconds (w).",
    '"minute";q=60;w=60, "hour";q=600;w=3600',
  ),
  "Retry-After": seconds("Whole seconds, rounded up: who waits that long has waited long enough."),
  "WWW-Authenticate": text("As RFC 6750 has it.", 'Bearer realm="docket"'),
  Allow: {
    ...text("The methods that the path takes.", "GET, POST, HEAD, OPTIONS"),
    required: true,
  },
  ETag: text(
    "The task's version: it changes with anything that is shown of it.",
    '"1k2mz5nnv8b0u"',
  ),
  "Idempotency-Replayed": {
    description: "The same request was answered before, and this is what it was answered.",
    schema: { const: "true" },
  },
};

export type HeaderName = keyof typeof HEADERS;

/** The fields of a reply: which it always has, and which it may have. */
export const headersOf = (always: readonly HeaderName[], may: readonly HeaderName[]) =>
  Object.fromEntries([
    ["X-Request-Id", headerRef("X-Request-Id")],
    ...always.map((name) => [name, alwaysThere(name)]),
    ...may.filter((name) => !always.includes(name)).map((name) => [name, headerRef(name)]),
  ]);

const alwaysThere = (name: HeaderName) =>
  "required" in HEADERS[name] ? headerRef(name) : { ...HEADERS[name], required: true };

const headerRef = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });

/** Parameters that a route takes because of what it is. */
export const PARAMETERS = {
  Id: {
    name: "id",
    in: "path",
    required: true,
    description: "The task's id, percent-encoded as one segment.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
    example: "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b77",
  },
  DryRun: {
    name: "dry_run",
    in: "query",
    description:
      "Only ask: 200 with what would be answered and `dry_run: true`, or the refusal. Nothing is changed, and an Idempotency-Key is passed over.",
    schema: { type: "boolean", default: false },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A name for this one request, as a new UUID. For 24 hours the same request is answered as the first time, and nothing is done twice; another body under the same key is refused with 422.",
    schema: {
      type: "string",
      pattern: '^(?:"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-+\\--~]{1,255})$',
    },
    example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "An ETag: the change is made only to that version, else refused with 412.",
    schema: { type: "string" },
    example: '"1k2mz5nnv8b0u"',
  },
};

/** Those of one route, behind its query. */
export const parametersOf = (route: Route) => {
  const names: readonly (keyof typeof PARAMETERS)[] = [
    ...(route.path.includes(":id") ? ["Id" as const] : []),
    ...(route.present ? ["DryRun" as const, "IdempotencyKey" as const] : []),
    ...(route.method === "PATCH" ? ["IfMatch" as const] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
};
