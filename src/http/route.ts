import type { Static, TSchema, TUnknown } from "@sinclair/typebox";
import type { Scope } from "../caller.ts";
import { MAX_PAYLOAD } from "../payload.ts";
import type { Ask } from "./ask.ts";
import type { Place } from "../door/place.ts";
import type { Reply, TextReply } from "../door/reply.ts";

/** Who may call a route (specification, section 4, column Credential). */
export type Access = {
  readonly callers: "anyone" | "session" | "session or key";
  /** The scope that a key needs. */
  readonly scope: Scope | null;
  /** Whether a key also needs its account to be Pro. */
  readonly pro: boolean;
};

export const ANYONE: Access = { callers: "anyone", scope: null, pro: false };
export const SESSION: Access = { callers: "session", scope: null, pro: false };
/** Any credential that is accepted, whatever its scopes and its account's plan. */
export const ANY_CREDENTIAL: Access = { callers: "session or key", scope: null, pro: false };
export const READ: Access = { callers: "session or key", scope: "read", pro: true };
const WRITE: Access = { callers: "session or key", scope: "write", pro: true };

/** What the lines of the route table have in common. */
type Line = Place & {
  readonly access: Access;
  /** The status of a reply that is no refusal. */
  readonly success: 200 | 201;
  /** The kind of record that a call reads or changes, for the activity list. */
  readonly touches: "folder" | "task";
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Whether the body is a form, as OAuth has it; its handler gets `URLSearchParams`. */
  readonly form: boolean;
  /** Which rules a body is under: REST's own, or those of sync, whose records are judged one by one. */
  readonly rules: "rest" | "sync";
  /** Bytes that a body may have. */
  readonly maxBody: number;
  /** What of a body is too large: what to do about it. */
  readonly tooLarge: string;
};

type PlainRoute = Line & {
  readonly handle: (ask: Ask) => Promise<Reply> | Reply;
  readonly present: null;
};

/**
 * A route that changes records. Its handler returns what its one transaction returned, and `present` makes
 * the reply of it, inside the transaction: so the reply can be kept, and a dry run undone.
 */
export type WriteRoute = Line & {
  readonly handle: (ask: Ask) => Promise<unknown>;
  readonly present: (value: unknown, ask: Ask) => TextReply;
};

/** One line of the route table: the door, the guard and the router are all made from it. */
export type Route = PlainRoute | WriteRoute;

type Options<Query extends TSchema, Body extends TSchema> = Partial<
  Pick<Route, "form" | "maxBody" | "rules" | "success" | "tooLarge" | "touches">
> & { readonly query?: Query; readonly body?: Body };

const DEFAULTS = {
  success: 200,
  touches: "task",
  form: false,
  rules: "rest",
  maxBody: MAX_PAYLOAD,
  tooLarge: "The body must be at most 1 MiB.",
} as const;

/** A route. Who may call it must be said; its handler sees what its schemas let through. */
export const route = <Query extends TSchema = TUnknown, Body extends TSchema = TUnknown>(
  method: Route["method"],
  path: string,
  access: Access,
  handle: (ask: Ask<Static<Query>, Static<Body>>) => Promise<Reply> | Reply,
  options: Options<Query, Body> = {},
): PlainRoute => ({
  ...DEFAULTS,
  method,
  path,
  access,
  // Elysia has checked both by these schemas when the handler is called.
  handle: handle as PlainRoute["handle"],
  present: null,
  ...options,
});

/**
 * A route that changes records, for whoever may write. Every one of them takes an `Idempotency-Key`, and
 * `dry_run`.
 */
export const write = <Value, Body extends TSchema>(
  method: "PATCH" | "POST",
  path: string,
  handle: (ask: Ask<unknown, Static<Body>>) => Promise<Value>,
  present: (value: Value, ask: Ask<unknown, Static<Body>>) => TextReply,
  options: Pick<Options<never, Body>, "success" | "touches"> & { readonly body: Body },
): WriteRoute => ({
  ...DEFAULTS,
  method,
  path,
  access: WRITE,
  handle: handle as WriteRoute["handle"],
  // It is only ever given what `handle` returned.
  present: present as WriteRoute["present"],
  ...options,
});
