/** Returns 256 random bits as base64url text, for `state` and for the PKCE verifier (RFC 7636). */
export const randomText = (): string => urlText(crypto.getRandomValues(new Uint8Array(32)));

/** Returns the S256 challenge of a PKCE verifier (RFC 7636, 4.2). */
export const challengeOf = async (verifier: string): Promise<string> =>
  urlText(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );

const urlText = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
