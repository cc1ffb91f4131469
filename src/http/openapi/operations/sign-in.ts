import { CLIENT_ID } from "../../../domain/people/oauth.ts";
import { PAIRING_GRANT } from "../../../domain/people/grant.ts";
import type { Operation, Operations } from "./operation.ts";

const TOKEN = `docket_sess_${"0".repeat(38)}`;

const RESOURCE = (id: string): Operation => ({
  id,
  tag: "Sign-in",
  summary: "Find out where programs that speak MCP sign in",
  reply: {
    description: "The MCP endpoint and who lets programs in, as in RFC 9728.",
    shape: "Resource",
    example: {
      resource: "http://127.0.0.1:3625/mcp",
      authorization_servers: ["http://127.0.0.1:3625"],
      scopes_supported: ["read", "write"],
      bearer_methods_supported: ["header"],
      resource_name: "Docket",
    },
  },
});

/** How extensions and programs sign in and out. */
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
        registration_endpoint: "http://127.0.0.1:3625/oauth/register",
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
  "GET /.well-known/oauth-protected-resource": RESOURCE("getResource"),
  "GET /.well-known/oauth-protected-resource/mcp": RESOURCE("getMcpResource"),
  "POST /oauth/register": {
    id: "register",
    tag: "Sign-in",
    summary: "Register a program that speaks MCP",
    description:
      "As in RFC 7591. Nothing is stored: the `client_id` says all that is known of the program, and never expires. With it, the program asks for a person's consent at `/oauth/authorize` (RFC 6749 with PKCE, S256), and exchanges the code for an API key. It never gets a session. An address to return to is https, or http on localhost, 127.0.0.1 or [::1], with any port. Members that are not used are ignored.",
    body: {
      example: { client_name: "helper", redirect_uris: ["http://localhost:4711/callback"] },
    },
    reply: {
      description: "The program's id, and what is known of it.",
      shape: "Registered",
      example: {
        client_id: "mcp.WyJoZWxwZXIiLCJodHRwOi8vbG9jYWxob3N0OjQ3MTEvY2FsbGJhY2siXQ",
        client_id_issued_at: 1_772_625_600,
        client_name: "helper",
        redirect_uris: ["http://localhost:4711/callback"],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        scope: "read write",
      },
    },
  },
  "POST /oauth/token": {
    id: "token",
    tag: "Sign-in",
    summary: "Exchange a code for a session, or for an API key",
    description:
      "Send the code that came with a person's consent (RFC 6749, section 4.1.3, with PKCE), or a pairing code that a person typed. A program that registered itself gets an API key for its code, an extension a session. After ten typed codes that nobody has, a network address has to wait, for 15 seconds at first and twice as long each time, up to 15 minutes.",
    refusals: [429],
    body: {
      form: "TokenRequest",
      example: { grant_type: PAIRING_GRANT, client_id: CLIENT_ID, code: "ABCD-EFGH-JKMN-PQRS" },
    },
    reply: {
      description: "A new session, or a new API key.",
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
      "As in RFC 7009, a token that is unknown or already invalid counts as revoked. A program can end the API key that it got by a person's consent. Any other key is revoked on the account's pages.",
    body: { form: "RevokeRequest", example: { token: TOKEN } },
    reply: { description: "The device is signed out.", shape: "Revoked", example: {} },
  },
};
