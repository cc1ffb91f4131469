import { Type } from "@sinclair/typebox";

/** What a supervisor asks, and this document. */
export const SERVER = {
  Health: Type.Object({ status: Type.Literal("ok") }),
  Readiness: Type.Object({ status: Type.Literal("ready") }),
  Document: Type.Object(
    { openapi: Type.String(), info: Type.Object({}, { additionalProperties: true }) },
    { additionalProperties: true, description: "This OpenAPI 3.1 document." },
  ),
};
