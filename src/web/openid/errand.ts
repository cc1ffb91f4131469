import type { Identity } from "../../domain/people/identity.ts";

/** Why someone is sent to the OpenID provider, and what only they can bring back. */
export type Errand = {
  readonly purpose: Purpose;
  /** The browser session that it is for; null for a sign-in, which starts a new one. */
  readonly browserSessionId: string | null;
  /** Where the person goes in the end. */
  readonly next: string;
  /** Proves to the token endpoint that we are the ones who started (RFC 7636). */
  readonly verifier: string;
  /** What the ID token must repeat (OpenID Connect Core, 3.1.2.1). */
  readonly nonce: string;
};

export type Purpose = "confirm" | "link" | "sign-in";

/** An identity that the provider has proved, as it is stored with a link. */
export type Found = Pick<Identity, "issuer" | "label" | "subject">;

/** The key under which an errand waits: its state, for the browser that started it and no other. */
export const errandKey = (browser: string, state: string): string => `${browser} ${state}`;

/**
 * The key under which an identity waits to be linked: its ticket, for the browser session that may link it.
 */
export const foundKey = (browserSessionId: string, ticket: string): string =>
  `${browserSessionId} ${ticket}`;
