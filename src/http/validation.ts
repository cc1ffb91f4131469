import type { ValueError } from "@sinclair/typebox/errors";
import { ValueErrorType } from "@sinclair/typebox/errors";
import { ValidationError } from "elysia";
import { invalid, Refusal } from "../refusal.ts";

/** What was thrown, as the refusal that it means; null for a bug. */
export const refusalOf = (thrown: unknown): Refusal | null =>
  thrown instanceof Refusal ? thrown : invalidInput(thrown);

/** A request that does not fit its route's schema, as one sentence; null for any other error. */
const invalidInput = (thrown: unknown): Refusal | null => {
  // A reply that does not fit is our bug, not the caller's.
  if (!(thrown instanceof ValidationError) || thrown.type === "response") return null;
  const error = thrown.valueError;
  if (!error) return invalid(`The ${thrown.type} is not as documented.`);
  return invalid(`${placeOf(thrown.type, error.path)} ${problemOf(error)}.`);
};

const placeOf = (part: string, path: string): string => {
  const place = path.split("/").slice(1).join(".");
  if (place === "") return part === "body" ? "The body" : `The ${part}`;
  return part === "query" ? `Query parameter ${place}` : place;
};

/** A schema may say in its own words what it wants (`description` on the failing part). */
const problemOf = (error: ValueError): string => {
  const { schema, type, value } = error;
  if (value === undefined) return "is missing";
  switch (type) {
    case ValueErrorType.StringMinLength:
    case ValueErrorType.StringMaxLength:
      return `must be ${schema["minLength"] ?? 0} to ${schema["maxLength"]} characters; got ${String(value).length}`;
    case ValueErrorType.ArrayMinItems:
    case ValueErrorType.ArrayMaxItems:
      return `must hold ${schema["minItems"] ?? 0} to ${schema["maxItems"]} items; got ${lengthOf(value)}`;
    default:
      return `must be ${schema.description ?? KINDS[String(schema["type"])] ?? "as documented"}`;
  }
};

const KINDS: Readonly<Record<string, string>> = {
  array: "an array",
  object: "an object",
  string: "text",
};

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
