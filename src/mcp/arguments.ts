import type { TObject, TSchema } from "@sinclair/typebox";
import { isObject } from "../domain/base/payload.ts";
import { invalid } from "../domain/base/refusal.ts";
import { shortenedTo } from "../domain/base/text.ts";
import { parseJson } from "../server/checks/body.ts";
import { checkValue, refuseUnknownFields } from "../server/checks/schema.ts";

/**
 * Checks a tool's arguments. Refuses an unknown name and lists the right ones, because models make up names. Then
 * refuses what does not fit the schema, as REST does (422).
 */
export const checkArguments = (
  name: string,
  input: TObject,
  args: Record<string, unknown>,
): void => {
  const known = Object.keys(input.properties);
  const unknown = Object.keys(args).find((argument) => !known.includes(argument));
  if (unknown !== undefined)
    throw invalid(`${name} has no argument "${shortenedTo(unknown, 60)}". ${listOf(known)}`);
  refuseUnknownFields(input, args);
  checkValue("arguments", input, args);
};

const listOf = (known: readonly string[]): string =>
  known.length === 0 ? "It takes no arguments." : `Its arguments are ${known.join(", ")}.`;

// Clients send arguments in other forms than the tools' schemas say: models write an array as JSON text, a number as a
// text, and null for what they leave out. What can mean only one thing is taken as that.

/** Returns a message whose arguments are an object, if they mean one: for none, clients send null or an empty list too. */
export const withArguments = (message: unknown): unknown => {
  if (!isObject(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isObject(params) || !("arguments" in params)) return message;
  const value = fromJson(params["arguments"]);
  const none = value === null || (Array.isArray(value) && value.length === 0);
  // What is no object at all is refused by the tool, which names its arguments. The protocol would only say "record".
  const args = none ? {} : isObject(value) ? value : { arguments: value };
  return { ...message, params: { ...params, arguments: args } };
};

/** Returns a value in the form that its schema asks for, if it means one. What does not stays as it is. */
export const tidied = (schema: TSchema, value: unknown): unknown => {
  const kinds = [schema, ...((schema["anyOf"] ?? []) as readonly TSchema[])];
  const find = (type: string) => kinds.find((kind) => kind["type"] === type);
  const list = find("array");
  if (list) return tidyList(list, fromJson(value));
  const fields = find("object");
  if (fields) return tidyFields(fields, fromJson(value));
  return typeof value === "string" && !find("string") ? plainValue(find, value.trim()) : value;
};

const tidyList = (schema: TSchema, value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => tidied(schema["items"] as TSchema, item)) : value;

/** Leaves out each null, unless null is a value of that field. */
const tidyFields = (schema: TSchema, value: unknown): unknown => {
  if (!isObject(value)) return value;
  const known = schema["properties"] as Readonly<Record<string, TSchema>>;
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!field) return [[name, one] as const];
    return one === null && !takesNull(field) ? [] : [[name, tidied(field, one)] as const];
  });
  return Object.fromEntries(entries);
};

const takesNull = (schema: TSchema): boolean =>
  ((schema["anyOf"] ?? []) as readonly TSchema[]).some((kind) => kind["type"] === "null");

/** A number or a boolean that was sent as text. */
const plainValue = (find: (type: string) => TSchema | undefined, text: string): unknown => {
  if (find("integer") && /^-?\d{1,15}(\.0+)?$/.test(text)) return Number(text);
  if (find("boolean") && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
};

/** The same bounds as for a message. */
const RULES = { rules: "mcp", maxBody: Infinity, tooLarge: "" } as const;

/** What a text says as JSON, if that is an array, an object or null. */
const fromJson = (value: unknown): unknown => {
  if (typeof value !== "string" || !/^\s*(?:[[{]|null\s*$)/.test(value)) return value;
  try {
    return parseJson(new TextEncoder().encode(value), RULES);
  } catch {
    // The schema refuses it, and shows what it must be.
    return value;
  }
};
