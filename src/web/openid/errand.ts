import type { Identity } from "../../domain/people/identity.ts";

/** What someone is sent to the OpenID provider for, and what only they bring back. */
export type Errand = {
  readonly purpose: Purpose;
  /** The browser session that it is for; null for a sign-in, which ends in a new one. */
  readonly browserSessionId: string | null;
  /** Where it leads in the end. */
  readonly next: string;
  /** What the token endpoint wants to see from whoever began (RFC 7636). */
  readonly verifier: string;
  /** What the ID token must repeat (OpenID Connect Core, 3.1.2.1). */
  readonly nonce: string;
};

export type Purpose = "confirm" | "link" | "sign-in";

/** An identity that the provider has proved, as it goes into a link. */
export type Found = Pick<Identity, "issuer" | "label" | "subject">;

/** Under which key an errand waits: its state, for the browser that began it and no other. */
export const errandKey = (browser: string, state: string): string => `${browser} ${state}`;

/** Under which key an identity waits to be linked: its ticket, for the browser session that it is to go to. */
export const foundKey = (browserSessionId: string, ticket: string): string =>
  `${browserSessionId} ${ticket}`;
