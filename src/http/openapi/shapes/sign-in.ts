import { Type } from "@sinclair/typebox";
import { CLIENT_ID } from "../../../domain/people/oauth.ts";
import { PAIRING_GRANT } from "../../../domain/people/grant.ts";
import { count, oneOf } from "./parts.ts";

const address = (description: string) => Type.String({ format: "uri", description });
const texts = (...known: readonly string[]) => Type.Array(Type.String(), { examples: [known] });
const client = Type.Literal(CLIENT_ID);
const anyClient = Type.String({
  description: `${CLIENT_ID}, or the id of a program that registered itself.`,
});

/**
 * The forms sent to the OAuth endpoints. An empty parameter counts as absent, and no parameter may occur twice (RFC
 * 6749, section 3.2).
 */
export const FORMS = {
  TokenRequest: Type.Union([
    Type.Object(
      {
        grant_type: Type.Literal("authorization_code"),
        code: Type.String({ minLength: 1, description: "The code that came with the redirect." }),
        client_id: anyClient,
        redirect_uri: address("The same one that you sent to /oauth/authorize."),
        code_verifier: Type.String({
          pattern: "^[A-Za-z0-9._~-]{43,128}$",
          description: "The text that you made the code_challenge from (RFC 7636).",
        }),
      },
      { title: "After consent" },
    ),
    Type.Object(
      {
        grant_type: Type.Literal(PAIRING_GRANT),
        code: Type.String({ minLength: 1, description: "The 16 characters of a pairing code." }),
        client_id: client,
        device_name: Type.Optional(
          Type.String({
            maxLength: 100,
            description:
              "1 to 100 printable characters. If you leave it out, the browser's name is used.",
          }),
        ),
      },
      { title: "With a pairing code" },
    ),
  ]),
  RevokeRequest: Type.Object({
    token: Type.String({ minLength: 1, description: "A session's token." }),
  }),
};

/** The replies of the OAuth endpoints. */
export const SIGN_IN = {
  Token: Type.Object({
    access_token: Type.String({
      pattern: "^docket_(sess|live)_[0-9A-Za-z]{38}$",
      description: "The session's token, or the API key. You get it only once.",
    }),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Optional(
      count(
        "How many seconds a session lasts if it is not used, or the API key at most; not there for a key that never expires. There is no refresh token.",
      ),
    ),
    scope: oneOf(["read write", "read", "write"]),
  }),
  Revoked: Type.Object({}),
  Resource: Type.Object(
    {
      resource: address("The MCP endpoint."),
      authorization_servers: Type.Array(address("Who lets programs in: this server.")),
      scopes_supported: texts("read", "write"),
      bearer_methods_supported: texts("header"),
      resource_name: Type.String(),
    },
    { description: "See RFC 9728." },
  ),
  Registered: Type.Object(
    {
      client_id: Type.String(),
      client_id_issued_at: count("When it registered, in seconds since 1970."),
      client_name: Type.String(),
      redirect_uris: Type.Array(Type.String()),
      grant_types: texts("authorization_code"),
      response_types: texts("code"),
      token_endpoint_auth_method: Type.Literal("none"),
      scope: Type.Literal("read write"),
    },
    { description: "See RFC 7591, section 3.2.1." },
  ),
  Metadata: Type.Object(
    {
      issuer: address("The server's public address, or the address you called if it has none."),
      authorization_endpoint: address("Where a person gives consent in a browser."),
      token_endpoint: address("POST /oauth/token."),
      revocation_endpoint: address("POST /oauth/revoke."),
      registration_endpoint: address("POST /oauth/register."),
      scopes_supported: texts("read", "write"),
      response_types_supported: texts("code"),
      response_modes_supported: texts("query"),
      grant_types_supported: texts("authorization_code", PAIRING_GRANT),
      code_challenge_methods_supported: texts("S256"),
      token_endpoint_auth_methods_supported: texts("none"),
      revocation_endpoint_auth_methods_supported: texts("none"),
      authorization_response_iss_parameter_supported: Type.Boolean(),
    },
    { description: "See RFC 8414." },
  ),
};
