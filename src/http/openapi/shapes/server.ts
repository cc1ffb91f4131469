import { Type } from "@sinclair/typebox";

/** Health, readiness, and this document. */
export const SERVER = {
  Health: Type.Object({ status: Type.Literal("ok") }),
  Readiness: Type.Object({ status: Type.Literal("ready") }),
  Document: Type.Object(
    { openapi: Type.String(), info: Type.Object({}, { additionalProperties: true }) },
    { additionalProperties: true, description: "This OpenAPI 3.1 document." },
  ),
};
