/** 256 random bits as text: for `state`, and for the verifier of PKCE (RFC 7636). */
export const randomText = (): string => urlText(crypto.getRandomValues(new Uint8Array(32)));

/** The challenge that goes with a verifier, by S256. */
export const challengeOf = async (verifier: string): Promise<string> =>
  urlText(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );

const urlText = (bytes: Uint8Array): string =>
  bytes.toBase64({ alphabet: "base64url", omitPadding: true });
