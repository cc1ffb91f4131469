import { Type } from "@sinclair/typebox";
import { oneOf, orNull, time } from "./parts.ts";

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
