import type { ValueError } from "@sinclair/typebox/errors";
import { ValueErrorType } from "@sinclair/typebox/errors";

/**
 * What is wrong with a value that does not fit its schema, to be put behind its name. A schema may say in its
 * own words what it wants (`description` on the failing part).
 */
export const problemOf = (error: ValueError): string => {
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
