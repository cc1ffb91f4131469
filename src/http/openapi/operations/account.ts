import type { Operations } from "./operation.ts";

const V1 = "/api/public/v1";

/** Who is calling. */
export const ACCOUNT: Operations = {
  [`GET ${V1}/me`]: {
    id: "getMe",
    tag: "Account",
    summary: "Show who is calling and what they may do",
    description: "Make this call first with a new key. It works with any scope.",
    reply: {
      description: "The account and the credential.",
      shape: "Me",
      example: {
        id: "0199a3bf-0000-7000-8000-000000000001",
        email: "ann@example.org",
        plan: "pro",
        credential: "api_key",
        scopes: ["read", "write"],
        restriction: null,
        review: false,
        expires_at: "2026-06-02T12:00:00.000Z",
      },
    },
  },
  [`GET ${V1}/entitlement`]: {
    id: "getEntitlement",
    tag: "Account",
    summary: "Show whether the account is Pro",
    description: "A client can keep this answer, and so work offline until `expires_at`.",
    reply: {
      description: "The account's plan.",
      shape: "Entitlement",
      example: {
        pro: true,
        plan: "pro",
        source: "self_hosted",
        expires_at: "2026-04-03T12:00:00.000Z",
        recheck_after: "2026-03-05T12:00:00.000Z",
      },
    },
  },
};

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
      example: { openapi: "3.1.2", info: { title: "Docket", version: "1.0.0" }, paths: {} },
    },
  },
};
