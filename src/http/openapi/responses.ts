import { isStored } from "../../domain/calls/idempotency.ts";
import type { Route } from "../route.ts";
import { type HeaderName, headersOf, takesIfMatch } from "./headers.ts";
import {
  OAUTH_REFUSALS,
  type RefusalStatus,
  REFUSALS,
  type DocumentedRefusal,
} from "./refusals.ts";

const RATE: readonly HeaderName[] = ["RateLimit", "RateLimit-Policy"];
const REPLAYED: HeaderName = "Idempotency-Replayed";

/** Returns the refusals that a route may return. They all follow from its line in the table. */
const refusalsOf = (route: Route): readonly RefusalStatus[] => {
  const { access, body, form, method, path, present } = route;
  const known = access.callers !== "anyone";
  const stores = method !== "GET";
  const statuses: readonly (readonly [RefusalStatus, boolean])[] = [
    [400, body !== undefined || form],
    [401, known],
    [403, access.callers === "session" || access.pro],
    [404, path.includes(":id")],
    [409, present !== null],
    [412, takesIfMatch(route)],
    [413, body !== undefined || form],
    [415, body !== undefined || form],
    [421, true],
    [422, known],
    [429, known],
    [500, true],
    [503, known || form],
    [507, stores],
  ];
  return statuses.filter(([, applies]) => applies).map(([status]) => status);
};

/** Returns a route's refusals as references to the shared responses. */
export const refusalResponses = (route: Route, more: readonly RefusalStatus[]) =>
  Object.fromEntries(
    [...refusalsOf(route), ...more].map((status) => [
      String(status),
      { $ref: `#/components/responses/${responseName(route, status)}` },
    ]),
  );

const responseName = (route: Route, status: RefusalStatus): string => {
  if (route.path.startsWith("/oauth/") && isOAuths(status)) return OAUTH_REFUSALS[status].name;
  const shown = REFUSALS[status];
  return route.present && hasTwin(status, shown) ? twinName(shown) : shown.name;
};

const isOAuths = (status: RefusalStatus): status is keyof typeof OAUTH_REFUSALS =>
  status in OAUTH_REFUSALS;

/** Whether a refusal of a write may also be sent again for a repeated `Idempotency-Key`. */
const hasTwin = (status: number, { toWrites }: DocumentedRefusal): boolean =>
  isStored(status) && toWrites !== true;

const twinName = ({ name }: DocumentedRefusal): string => `${name}Write`;

/**
 * The responses that all routes share: each refusal, a second version of those that may be sent again, and OAuth's
 * own.
 */
export const sharedResponses = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ...Object.values(REFUSALS).map((shown) => [shown.name, refusal(shown, [])]),
    ...Object.entries(REFUSALS)
      .filter(([status, shown]) => hasTwin(Number(status), shown))
      .map(([, shown]) => [twinName(shown), refusal(shown, [REPLAYED])]),
    ...Object.values(OAUTH_REFUSALS).map((shown) => {
      const always = "always" in shown ? shown.always : [];
      return [shown.name, reply({ ...shown, shape: "OAuthError", always, may: [] })];
    }),
  ]);

const refusal = (
  { description, example, always = [], may = [] }: DocumentedRefusal,
  more: readonly HeaderName[],
) =>
  reply({
    description,
    shape: "Error",
    example: { error: example },
    always,
    may: [...RATE, ...may, ...more],
  });

type Told = {
  readonly description: string;
  readonly shape: string;
  readonly withoutRead?: string | undefined;
  readonly nothing?: string | undefined;
  readonly example: unknown;
  readonly always: readonly HeaderName[];
  readonly may: readonly HeaderName[];
};

const reply = ({ description, shape, withoutRead, example, always, may }: Told) => ({
  description,
  headers: headersOf(always, may),
  content: {
    "application/json": {
      schema: withoutRead ? { anyOf: [refTo(shape), refTo(withoutRead)] } : refTo(shape),
      example,
    },
  },
});

const refTo = (shape: string) => ({ $ref: `#/components/schemas/${shape}` });

/** Returns a route's successful replies, including the one to a dry run. */
export const successResponses = (
  route: Route,
  operation: Pick<Told, "description" | "example" | "nothing" | "shape" | "withoutRead"> & {
    readonly tagged: boolean;
  },
) => {
  const tag: readonly HeaderName[] = operation.tagged ? ["ETag"] : [];
  const mayHave = route.access.callers === "anyone" ? [] : RATE;
  if (!route.present)
    return { [route.success]: reply({ ...operation, always: tag, may: mayHave }) };
  const done = reply({ ...operation, always: [], may: [...mayHave, ...tag, REPLAYED] });
  const asked = dryReply(operation, mayHave);
  if (route.success === 200) return { 200: either(done, asked) };
  return {
    200: orNothing(asked, operation),
    201: reply({ ...operation, always: tag, may: [...mayHave, REPLAYED] }),
  };
};

const dryReply = (
  operation: Pick<Told, "example" | "shape" | "withoutRead">,
  may: readonly HeaderName[],
) =>
  reply({
    description: "With `dry_run`: what the call would return. Nothing was changed.",
    shape: `${operation.shape}DryRun`,
    withoutRead: operation.withoutRead && `${operation.withoutRead}DryRun`,
    example: { ...(operation.example as object), dry_run: true },
    always: [],
    may,
  });

type Response = Omit<ReturnType<typeof reply>, "content"> & {
  readonly content: {
    readonly "application/json": { readonly schema: object; readonly example: unknown };
  };
};

/** For a call that may find nothing to create, that reply and that of a dry run share the status 200. */
const orNothing = (
  asked: Response,
  { nothing, shape }: Pick<Told, "nothing" | "shape">,
): Response => {
  if (nothing === undefined) return asked;
  const { schema, example } = asked.content["application/json"];
  return {
    ...asked,
    description: `${nothing} ${asked.description}`,
    headers: { ...asked.headers, ...headersOf([], [REPLAYED]) },
    content: { "application/json": { schema: { anyOf: [schema, refTo(shape)] }, example } },
  };
};

/** For a change, the real reply and that of a dry run share the status 200. */
const either = (done: Response, asked: Response) => ({
  ...done,
  description: `${done.description} With \`dry_run\`, nothing was changed.`,
  content: {
    "application/json": {
      schema: {
        anyOf: [done, asked].map(({ content }) => content["application/json"].schema),
      },
      example: done.content["application/json"].example,
    },
  },
});
