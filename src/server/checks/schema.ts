import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { ValidationError } from "elysia";
import { say } from "../../domain/base/message.ts";
import { invalid, type Refusal } from "../../domain/base/refusal.ts";
import { shortenedTo } from "../../domain/base/text.ts";
import type { Call } from "../call.ts";

/**
 * Refuses a body, or the arguments of a tool, that do not fit their schema (422). This is not left to Elysia: its error has
 * the whole body as indented text, and others would wait while it writes a long one.
 */
export const checkValue = (what: "arguments" | "body", schema: TSchema, value: unknown): void => {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema);
  checks.set(schema, check);
  if (check.Check(value)) return;
  const error = check.Errors(value).First();
  if (!error) throw new Error("A value does not fit its schema, and nothing says why.");
  throw refusalOf(what, error);
};

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** Returns the refusal (422) for a query that does not fit its route's schema: Elysia checks that. Null for other errors. */
export const queryRefusal = (thrown: unknown): Refusal | null => {
  // A reply that does not fit its schema is a bug of the server, not an error of the caller.
  if (!(thrown instanceof ValidationError) || thrown.type !== "query") return null;
  const error = thrown.valueError;
  return error
    ? refusalOf("query", error)
    : invalid("The query is not as described in the API reference.");
};

const refusalOf = (type: "arguments" | "body" | "query", error: ValueError): Refusal => {
  const field = error.path.split("/").slice(1).join(".");
  const problem = problemOf(error);
  if (field === "") return invalid(`The ${type} ${problem}.`);
  return type === "query"
    ? invalid(say`${{ parameter: field }} ${problem}.`)
    : invalid(`${field} ${problem}.`);
};

/**
 * Says what is wrong with a value that does not fit its schema, as words to follow its name: `is missing`, `must be
 * ...`. If the failing part of the schema has a `description`, that says what the value must be.
 */
const problemOf = (error: ValueError): string => {
  const { schema, type, value } = error;
  if (value === undefined) return "is missing";
  switch (type) {
    case ValueErrorType.StringMinLength:
    case ValueErrorType.StringMaxLength:
      return `must have ${schema["minLength"] ?? 0} to ${schema["maxLength"]} characters, but has ${String(value).length}`;
    case ValueErrorType.ArrayMinItems:
    case ValueErrorType.ArrayMaxItems:
      return `must have ${schema["minItems"] ?? 0} to ${schema["maxItems"]} items, but has ${lengthOf(value)}`;
    default: {
      const must = schema.description ?? KINDS[String(schema["type"])];
      return `must be ${must ?? "as described in the API reference"}${tooLong(must ?? "", value)}`;
    }
  }
};

/** Says how long a text is, or the longest in a list, if that is more than the characters that `must` allows. */
const tooLong = (must: string, value: unknown): string => {
  const most = Number(/(\d+) (?:printable )?characters/.exec(must)?.[1]);
  const lengths = [value].flat().map((text) => (typeof text === "string" ? text.length : 0));
  const longest = lengths.reduce((a, b) => Math.max(a, b), 0);
  if (!(longest > most)) return "";
  return Array.isArray(value) ? `. One has ${longest}` : `. It has ${longest}`;
};

const KINDS: Readonly<Record<string, string>> = {
  array: "an array",
  object: "an object",
  string: "a string",
};

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** The schema keyword for fields that replies have and a caller may send back, although nobody can set them. */
export const ECHOED = "x-echoed";

/** Refuses a body with a field that nobody knows, at any depth that the schema describes, and names the known ones (422). */
export const refuseUnknownFields = (schema: TSchema, value: unknown, path = ""): void => {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const list = [schema, ...partsOf(schema)].find((part) => part["items"]);
    // The schema refuses a longer list, so its items need not be looked at.
    if (list && value.length <= (list["maxItems"] ?? Infinity))
      value.forEach((item, at) =>
        refuseUnknownFields(list["items"] as TSchema, item, `${path}${at}.`),
      );
    return;
  }
  const known = [schema, ...partsOf(schema)].find((part) => part["properties"]);
  if (!known) return;
  const fields = known["properties"] as Readonly<Record<string, TSchema>>;
  const echoed = (known[ECHOED] ?? []) as readonly string[];
  for (const [name, part] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) refuseUnknownFields(field, part, `${path}${name}.`);
    else if (!echoed.includes(name))
      throw invalid(
        `${path}${shortenedTo(name, 60)} is not a known field. It takes: ${Object.keys(fields).join(", ")}.`,
      );
  }
};

const partsOf = (schema: TSchema): readonly TSchema[] =>
  (schema["anyOf"] ?? []) as readonly TSchema[];

/** The query parameters that an endpoint knows. */
export type Parameters = {
  readonly known: readonly string[];
  /** Whether a session's unknown ones are ignored. */
  readonly ignores: boolean;
};

/** Refuses a query with a parameter that the endpoint does not have, and names those that it has (422). */
export const checkParameters = (
  { known, ignores }: Parameters,
  { request: { url }, caller, method, routeName }: Call,
): void => {
  const start = url.indexOf("?");
  if (start === -1 || (ignores && caller?.kind === "session")) return;
  for (const [name, value] of new URLSearchParams(url.slice(start)))
    if (!known.includes(name) && name + value !== "")
      throw invalid(
        `${shortenedTo(name, 60) || "Without a name, it"} is not a parameter of ${method} ${routeName}. ${listOf(known)}`,
      );
};

const listOf = (known: readonly string[]): string =>
  known.length === 0 ? "It takes none." : `It takes: ${known.join(", ")}.`;
