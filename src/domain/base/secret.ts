/**
 * `live` is an API key, `sess` a session token, `page` a cookie of the account area, and `code` the
 * code that an extension exchanges for a session. The checksum covers the kind, so none can pass
 * for another.
 */
export type SecretKind = "code" | "live" | "page" | "sess";

/** Returns `count` random bytes from a cryptographic source. */
export type Random = (count: number) => Uint8Array;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORMAT = /^docket_(code|live|page|sess)_[0-9A-Za-z]{38}$/;

export const cryptoRandom: Random = (count) => crypto.getRandomValues(new Uint8Array(count));

/**
 * Returns a new secret: `docket_live_`, `docket_sess_` and so on, then 32 random base62 characters
 * and 6 of CRC32.
 */
export const mintSecret = (kind: SecretKind, random: Random): string => {
  const start = `docket_${kind}_${randomBase62(BODY_LENGTH, random)}`;
  return start + checksum(start);
};

/**
 * Returns a secret that only someone who has the other one can compute, always the same. It reveals nothing about the
 * other one.
 */
export const deriveSecret = (kind: SecretKind, from: string): string => {
  let round = 0;
  return mintSecret(kind, (count) =>
    new Bun.CryptoHasher("sha512", from).update(`${kind} ${round++}`).digest().subarray(0, count),
  );
};

/**
 * Returns the kind of a secret in Docket's format, or null for anything else. The checksum catches
 * typing errors without a look-up. It is not a security check.
 */
export const secretKind = (text: string): SecretKind | null => {
  const kind = FORMAT.exec(text)?.[1] as SecretKind | undefined;
  if (kind === undefined) return null;
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH))) ? kind : null;
};

/**
 * What Docket stores instead of a secret: its SHA-256. A secret has 190 random bits, so a plain
 * digest is enough (OWASP ASVS 5.0, 6.5.2), and fast enough to compute on every request.
 */
export const digestSecret = (secret: string): Buffer =>
  new Bun.CryptoHasher("sha256").update(secret).digest();

/** Like `digestSecret`, as base64 text. */
export const digestText = (secret: string): string => Bun.SHA256.hash(secret, "base64");

/**
 * Enough of a secret for its owner to recognise it: the prefix, and the first and last four
 * characters.
 */
export const secretHint = (secret: string): string => `${secret.slice(0, 16)}…${secret.slice(-4)}`;

/**
 * Cuts every secret in the text to its hint, also one that is percent-encoded, in part or several times over, that lost
 * its end, or that lacks its prefix. Use it on a caller's words before they are shown or stored.
 */
export const withoutSecrets = (text: string): string => {
  const cut = cutSecrets(text);
  if (!text.includes("%")) return cut;
  const plain = decoded(text);
  const plainCut = cutSecrets(plain);
  return plainCut === plain ? cut : plainCut;
};

const cutSecrets = (text: string): string =>
  // Nearly all texts end here, such as a path with a UUID.
  /[0-9A-Za-z]{20}|docket_/.test(text)
    ? text
        .replaceAll(SPLIT, (split) => secretHint(split.replaceAll("/", "")))
        .replaceAll(/docket_(?:code|live|page|sess)_[0-9A-Za-z]{20,38}/g, secretHint)
        .replaceAll(/(?<=^|[^0-9A-Za-z]|%[0-9A-Fa-f]{2})[0-9A-Za-z]{38}(?![0-9A-Za-z])/g, (run) =>
          KINDS.some((kind) => secretKind(`docket_${kind}_${run}`)) ? bodyHint(run) : run,
        )
    : text;

/** A secret that one or more `/` split, as in a path: its 38 characters in parts of fewer. */
const SPLIT =
  /docket_(?:code|live|page|sess)_(?![0-9A-Za-z]{38})[0-9A-Za-z](?:\/*[0-9A-Za-z]){37}(?![0-9A-Za-z])/g;

const KINDS: readonly SecretKind[] = ["code", "live", "page", "sess"];

/** As `secretHint`, of a secret that lacks its prefix. */
const bodyHint = (body: string): string => `${body.slice(0, 4)}…${body.slice(-4)}`;

/** With the characters of secrets decoded, in time linear in the text: `%2564` is `%64` is `d`. */
const decoded = (text: string): string => {
  let plain = text;
  for (let round = 0; round < ROUNDS; round++)
    plain = plain
      .replaceAll(/%(?:25)+(?=[0-9a-f]{2})/gi, "%")
      .replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
        String.fromCharCode(parseInt(code, 16)),
      );
  return plain;
};

/** An encoded digit of an escape takes one more. */
const ROUNDS = 4;

/**
 * 248 is the largest multiple of 62 that fits in a byte. Higher bytes are drawn again, so that no
 * character is more likely than another.
 */
const randomBase62 = (length: number, random: Random): string => {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
};

const checksum = (start: string): string => {
  let rest = Bun.hash.crc32(start);
  let text = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
};
