import type { TSchema } from "@sinclair/typebox";
import { isObject } from "../domain/base/payload.ts";

/**
 * Returns the schema of a tool's arguments as agents get it. They pay for every word: bounds and patterns are left out,
 * what a description says after a semicolon, and that null is possible, which the type says. A call that does not keep to them is refused with a sentence that names
 * them.
 */
export const shownSchema = (schema: TSchema): object =>
  // Through JSON, to drop the symbols that TypeBox adds.
  shown(JSON.parse(JSON.stringify(schema))) as object;

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  if (!isObject(value)) return value;
  const { anyOf, description, properties, ...rest } = value;
  const kept = Object.entries(rest).filter(([name, one]) => KEPT.has(name) && one !== true);
  return {
    ...Object.fromEntries(kept.map(([name, one]) => [name, shown(one)])),
    ...(typeof description === "string" ? { description: plain(description) } : {}),
    ...(Array.isArray(anyOf) ? joined(anyOf.map(shown) as readonly Fields[]) : {}),
    ...(isObject(properties) ? { properties: mapped(properties) } : {}),
  };
};

const plain = (description: string): string =>
  description.replace(/;.*$/, "").replace(/, or null( for none)?$/, "");

type Fields = Readonly<Record<string, unknown>>;

/** An argument may be called as a keyword is. */
const mapped = (properties: Fields): Fields =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, shown(one)]));

const KEPT: ReadonlySet<string> = new Set([
  "type",
  "items",
  "required",
  "additionalProperties",
  "const",
]);

/** Some words of which one is meant, or a kind of value or null, in fewer words. */
const joined = (kinds: readonly Fields[]): Fields => {
  if (kinds.every((kind) => "const" in kind))
    return { type: "string", enum: kinds.map((kind) => kind["const"]) };
  const [first = {}] = kinds;
  return { ...first, type: kinds.map(({ type }) => type) };
};
