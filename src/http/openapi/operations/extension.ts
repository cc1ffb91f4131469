import { CLIENT_ID } from "../../../domain/people/oauth.ts";
import { PAIRING_GRANT } from "../../../domain/people/grant.ts";
import { CHANGE, NOW, SYNC_ROW } from "./examples.ts";
import type { Operations } from "./operation.ts";
import { PULL_QUERY, PUSH_QUERY } from "./queries.ts";

const V1 = "/api/public/v1";
const TOKEN = `docket_sess_${"0".repeat(38)}`;

/** How a device syncs. */
export const SYNCING: Operations = {
  [`GET ${V1}/sync`]: {
    id: "pull",
    tag: "Sync",
    summary: "Pull changes",
    description:
      "The reply is streamed, and compressed if the client accepts gzip or zstd. Pulling twice is harmless. A reply that is cut off is never valid JSON.",
    query: PULL_QUERY,
    reply: {
      description: "The account's records that have changed since then, including tombstones.",
      shape: "Pull",
      example: {
        server_time: NOW,
        epoch: "0199a3be-5c5c-7000-8000-000000000002",
        has_more: false,
        changes: { sync_tasks: [SYNC_ROW], sync_projects: [], sync_buckets: [] },
      },
    },
  },
  [`POST ${V1}/sync`]: {
    id: "push",
    tag: "Sync",
    summary: "Push a device's changes",
    description:
      "Send up to 500 records. Each one is judged on its own: an invalid record is listed in `invalid`, and the others are still applied. Sending a push again changes nothing, so this call ignores `Idempotency-Key`. `dry_run` is refused with 422.",
    query: PUSH_QUERY,
    body: { example: [CHANGE] },
    reply: {
      description:
        "How many records were applied, and which ones were not applied as you sent them.",
      shape: "Pushed",
      example: { applied: 1, rejected: [], merged: [], invalid: [] },
    },
  },
};

/** How an extension gets and gives up its session. */
export const SIGNING_IN: Operations = {
  "GET /.well-known/oauth-authorization-server": {
    id: "getMetadata",
    tag: "Sign-in",
    summary: "Get the addresses for signing in",
    reply: {
      description: "The addresses, as in RFC 8414.",
      shape: "Metadata",
      example: {
        issuer: "http://127.0.0.1:3625",
        authorization_endpoint: "http://127.0.0.1:3625/oauth/authorize",
        token_endpoint: "http://127.0.0.1:3625/oauth/token",
        revocation_endpoint: "http://127.0.0.1:3625/oauth/revoke",
        scopes_supported: ["read", "write"],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", PAIRING_GRANT],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      },
    },
  },
  "POST /oauth/token": {
    id: "token",
    tag: "Sign-in",
    summary: "Exchange a code for a session",
    description:
      "Send the code that came with a person's consent (RFC 6749, section 4.1.3, with PKCE), or a pairing code that a person typed.",
    body: {
      form: "TokenRequest",
      example: { grant_type: PAIRING_GRANT, client_id: CLIENT_ID, code: "ABCD-EFGH-JKMN-PQRS" },
    },
    reply: {
      description: "A new session.",
      shape: "Token",
      example: {
        access_token: TOKEN,
        token_type: "Bearer",
        expires_in: 2_592_000,
        scope: "read write",
      },
    },
  },
  "POST /oauth/revoke": {
    id: "revoke",
    tag: "Sign-in",
    summary: "Sign a device out",
    description:
      "As in RFC 7009, a token that is unknown or already invalid counts as revoked. API keys are revoked on the account's pages.",
    body: { form: "RevokeRequest", example: { token: TOKEN } },
    reply: { description: "The device is signed out.", shape: "Revoked", example: {} },
  },
};
