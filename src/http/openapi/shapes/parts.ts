import { type TSchema, Type } from "@sinclair/typebox";

// Helpers for writing schemas.

/** A reference to a schema under `components/schemas`. */
export const ref = (name: string) => Type.Ref(`#/components/schemas/${name}`);

export const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

export const oneOf = (words: readonly string[], description?: string) =>
  Type.Unsafe<string>({
    type: "string",
    enum: [...words],
    ...(description === undefined ? {} : { description }),
  });

export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const time = (description: string) => Type.String({ format: "date-time", description });

export const RecordId = Type.String({ minLength: 1, maxLength: 255 });

/** A record's content, which the extension decides. */
export const anything = (description: string) =>
  Type.Object({}, { additionalProperties: true, description });
