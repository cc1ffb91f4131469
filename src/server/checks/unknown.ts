import type { TSchema } from "@sinclair/typebox";
import { invalid } from "../../domain/base/refusal.ts";
import { shortenedTo } from "../../domain/base/text.ts";
import type { Call } from "../call.ts";

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
