import type { Instant } from "../base/instant.ts";

/** Who an OpenID provider says that someone is: known by issuer and subject, by nothing else. */
export type Identity = {
  readonly issuer: string;
  readonly subject: string;
  readonly accountId: number;
  /** What the provider calls them, to be shown. */
  readonly label: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
};

/** Identities that one account may be linked to. */
export const MAX_IDENTITIES = 20;

const SPOKEN_FOR = ["preferred_username", "email", "name"] as const;
const LONGEST = 200;

/**
 * What to call an identity on pages: a user name, e-mail or name, as the provider gives it, else its
 * subject. It is for reading only: people change their e-mails, and can claim those of others.
 */
export const identityLabel = (claims: Readonly<Record<string, unknown>>, subject: string): string =>
  [...SPOKEN_FOR.map((name) => claims[name]), subject]
    .filter((claim): claim is string => typeof claim === "string")
    .map((claim) => claim.replaceAll(/\p{C}/gu, "").trim().slice(0, LONGEST).toWellFormed())
    .find((claim) => claim !== "") ?? "?";
