import { Type } from "@sinclair/typebox";
import { oneOf } from "./parts.ts";

/** The body of every refusal of the API. */
export const ERROR = Type.Object(
  { error: Type.String({ description: "What is wrong, where, and what to do." }) },
  { additionalProperties: false, description: "The body of every error." },
);

/** The body of every refusal of the OAuth endpoints. */
export const OAUTH_ERROR = Type.Object(
  {
    error: oneOf([
      "invalid_request",
      "invalid_client",
      "invalid_grant",
      "unsupported_grant_type",
      "unsupported_token_type",
      "slow_down",
    ]),
    error_description: Type.String(),
  },
  { additionalProperties: false, description: "See RFC 6749, section 5.2." },
);
