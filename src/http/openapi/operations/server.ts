import type { Operations } from "./operation.ts";

/** The server itself. */
export const SERVER: Operations = {
  "GET /healthz": {
    id: "getHealth",
    tag: "Server",
    summary: "Check that the server is running",
    reply: { description: "It is running.", shape: "Health", example: { status: "ok" } },
  },
  "GET /readyz": {
    id: "getReadiness",
    tag: "Server",
    summary: "Check that the database can be read and written",
    reply: {
      description: "It can be read and written.",
      shape: "Readiness",
      example: { status: "ready" },
    },
    refusals: [503],
  },
  "GET /openapi.json": {
    id: "getDocument",
    tag: "Server",
    summary: "Get this document",
    reply: {
      description: "The API, described in OpenAPI 3.1.",
      shape: "Document",
      example: { openapi: "3.1.2", info: { title: "Docket", version: "0.1.0" }, paths: {} },
    },
  },
};
