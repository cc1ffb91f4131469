import { Type } from "@sinclair/typebox";
import { CLIENT_ID } from "../../../domain/people/oauth.ts";
import { PAIRING_GRANT } from "../../../domain/people/grant.ts";
import { count } from "./parts.ts";

const address = (description: string) => Type.String({ format: "uri", description });
const texts = (...known: readonly string[]) => Type.Array(Type.String(), { examples: [known] });
const client = Type.Literal(CLIENT_ID);

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
        client_id: client,
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
      pattern: "^docket_sess_[0-9A-Za-z]{38}$",
      description: "The session's token. You get it only once.",
    }),
    token_type: Type.Literal("Bearer"),
    expires_in: count(
      "How many seconds the session lasts if it is not used. There is no refresh token.",
    ),
    scope: Type.Literal("read write"),
  }),
  Revoked: Type.Object({}),
  Metadata: Type.Object(
    {
      issuer: address("The server's public address, or the address you called if it has none."),
      authorization_endpoint: address("Where a person gives consent in a browser."),
      token_endpoint: address("POST /oauth/token."),
      revocation_endpoint: address("POST /oauth/revoke."),
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
