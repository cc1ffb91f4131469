import { CLIENT_ID } from "../../../domain/people/oauth.ts";
import { PAIRING_GRANT } from "../../../domain/people/grant.ts";
import type { Operations } from "./operation.ts";

const TOKEN = `docket_sess_${"0".repeat(38)}`;

/** How an extension signs in and out. */
export const SIGN_IN: Operations = {
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
      "Send the code that came with a person's consent (RFC 6749, section 4.1.3, with PKCE), or a pairing code that a person typed. After ten typed codes that nobody has, a network address has to wait, for 15 seconds at first and twice as long each time, up to 15 minutes.",
    refusals: [429],
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
