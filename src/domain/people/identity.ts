import type { Instant } from "../base/instant.ts";
import { cutText } from "../base/text.ts";

/** Who a person is according to an OpenID provider, identified by issuer and subject alone. */
export type Identity = {
  readonly issuer: string;
  readonly subject: string;
  readonly accountId: number;
  /** What the provider calls them, for display only. */
  readonly label: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
};

/** How many identities one account may be linked to. */
export const MAX_IDENTITIES = 20;

const LABEL_CLAIMS = ["preferred_username", "email", "name"] as const;
const LONGEST = 200;

/**
 * Returns what pages call an identity: the provider's user name, e-mail or name for it, otherwise
 * its subject. It is for display only, because people change their e-mails and can claim other
 * people's.
 */
export const identityLabel = (claims: Readonly<Record<string, unknown>>, subject: string): string =>
  [...LABEL_CLAIMS.map((name) => claims[name]), subject]
    .filter((claim): claim is string => typeof claim === "string")
    .map((claim) => cutText(claim.replaceAll(/\p{C}/gu, "").trim(), LONGEST).toWellFormed())
    .find((claim) => claim !== "") ?? "?";
