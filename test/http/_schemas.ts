import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { DOCUMENT, type Json } from "./_document.ts";

type Errors = (schema: Json, value: unknown) => readonly string[];

/** Tells why a value does not fit a schema of the document, as sentences; none if it does. */
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

/** References as they are written in the document lead into it from anywhere. */
const withRoot = (part: unknown): unknown =>
  JSON.parse(
    JSON.stringify(part, (name, value: unknown) =>
      name === "$ref" ? `document${String(value)}` : value,
    ),
  );

/** No field may be there but those that are told, where not all are welcome. */
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

/** For what is sent: unknown fields are passed over. */
export const inputErrors: Errors = checker((part) => part);

/**
 * For replies: a new field must not be forgotten in the document. Clients, on the other hand, are to pass
 * over what they do not know.
 */
export const replyErrors: Errors = checker(closed);
