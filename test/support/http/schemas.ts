import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { DOCUMENT, type Json } from "./document.ts";

type Errors = (schema: Json, value: unknown) => readonly string[];

/**
 * Returns a sentence for each way in which a value does not match a schema of the document; empty
 * if it matches.
 */
const checker = (change: (part: unknown) => unknown): Errors => {
  const ajv = new Ajv2020({ strict: false, formats: fullFormats });
  ajv.addSchema({
    $id: "document",
    components: change(withRoot({ schemas: DOCUMENT.components.schemas })),
  });
  const compile = (schema: Json): ValidateFunction => ajv.compile(change(withRoot(schema)) as Json);
  const known = new Map<Json, ValidateFunction>();
  return (schema, value) => {
    const validate = known.get(schema) ?? compile(schema);
    known.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
};

/** Makes references in any part point into the whole document. */
const withRoot = (part: unknown): unknown =>
  JSON.parse(
    JSON.stringify(part, (name, value: unknown) =>
      name === "$ref" ? `document${String(value)}` : value,
    ),
  );

/** Forbids fields that a schema does not list, unless it allows all. */
const closed = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const schema = Object.fromEntries(
    Object.entries(part).map(([name, child]) => [name, closed(child)]),
  );
  return "properties" in part && !("additionalProperties" in part)
    ? { ...schema, additionalProperties: false }
    : schema;
};

/** For request bodies, which say themselves which fields they take. */
export const inputErrors: Errors = checker((part) => part);

/**
 * For replies: a new field must not be missing from the document. Clients, by contrast, should
 * ignore fields that they do not know.
 */
export const replyErrors: Errors = checker(closed);
