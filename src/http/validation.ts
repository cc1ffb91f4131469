import { ValidationError } from "elysia";
import { problemOf } from "../server/checks/schema.ts";
import { invalid, Refusal } from "../domain/base/refusal.ts";

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
