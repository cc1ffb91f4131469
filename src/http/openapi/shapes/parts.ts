import { type TSchema, Type } from "@sinclair/typebox";

// Helpers for writing schemas.

/** A reference to a schema under `components/schemas`. */
export const ref = (name: string) => Type.Ref(`#/components/schemas/${name}`);

export const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);

export const oneOf = (words: readonly string[], description?: string) =>
  Type.Unsafe<string>({
    type: "string",
    enum: [...words],
    ...(description === undefined ? {} : { description }),
  });

export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const time = (description: string) => Type.String({ format: "date-time", description });

export const RecordId = Type.String({ minLength: 1, maxLength: 255 });

/** A record's content, which the extension decides. */
export const anything = (description: string) =>
  Type.Object({}, { additionalProperties: true, description });

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
      "invalid_client_metadata",
      "invalid_redirect_uri",
    ]),
    error_description: Type.String(),
  },
  { additionalProperties: false, description: "See RFC 6749, section 5.2." },
);

/** Health, readiness, and this document. */
export const SERVER = {
  Health: Type.Object({ status: Type.Literal("ok") }),
  Readiness: Type.Object({ status: Type.Literal("ready") }),
  Document: Type.Object(
    { openapi: Type.String(), info: Type.Object({}, { additionalProperties: true }) },
    { additionalProperties: true, description: "This OpenAPI 3.1 document." },
  ),
};

const Restriction = orNull(
  Type.Object(
    {
      kind: oneOf(["folders", "inbox"]),
      folders: Type.Array(Type.String(), {
        description: "The ids of the folders that it is restricted to.",
      }),
    },
    {
      description:
        "What the API key is restricted to. Null means the whole account. Sessions are never restricted.",
    },
  ),
);

/** Who is calling, and what they may do. */
export const ACCOUNT = {
  Me: Type.Object({
    id: Type.String({ description: "The account's id." }),
    email: Type.String(),
    plan: oneOf(["free", "pro"]),
    credential: oneOf(["api_key", "session"]),
    scopes: Type.Array(oneOf(["read", "write"]), {
      description: "Write does not imply read.",
    }),
    restriction: Restriction,
    review: Type.Boolean({
      description:
        "Whether a person reviews what the API key creates. Until then it is `proposed`.",
    }),
    expires_at: orNull(time("When the credential expires, or null for never.")),
  }),
  Entitlement: Type.Object({
    pro: Type.Boolean(),
    plan: oneOf(["free", "pro"]),
    source: Type.String({ examples: ["self_hosted"] }),
    expires_at: time(
      "Until when you can rely on this answer without asking again. If the account is not Pro, when Pro ended.",
    ),
    recheck_after: time("When to ask again."),
  }),
};
