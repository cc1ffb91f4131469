/**
 * `live` is an API key, `sess` a session token, `page` a cookie of the account area, `code` what an
 * extension exchanges for a session. None is ever taken for another: the kind is under the checksum.
 */
export type SecretKind = "code" | "live" | "page" | "sess";

/** Gives `count` random bytes from a cryptographic source. */
export type Random = (count: number) => Uint8Array;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORMAT = /^docket_(code|live|page|sess)_[0-9A-Za-z]{38}$/;

export const cryptoRandom: Random = (count) => crypto.getRandomValues(new Uint8Array(count));

/** A new secret: `docket_live_`, `docket_sess_`, ..., 32 random base62 characters, 6 of CRC32. */
export const mintSecret = (kind: SecretKind, random: Random): string => {
  const start = `docket_${kind}_${randomBase62(BODY_LENGTH, random)}`;
  return start + checksum(start);
};

/**
 * The kind of a secret that could be one of ours, null for all else. The checksum tells typing
 * errors from real secrets without a look-up; it is not a security check.
 */
export const secretKind = (text: string): SecretKind | null => {
  const kind = FORMAT.exec(text)?.[1] as SecretKind | undefined;
  if (kind === undefined) return null;
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH))) ? kind : null;
};

/**
 * What is stored in a secret's place: its SHA-256. With 190 random bits a plain digest is enough
 * (OWASP ASVS 5.0, 6.5.2), and it is cheap enough to be taken on every request.
 */
export const digestSecret = (secret: string): Buffer =>
  new Bun.CryptoHasher("sha256").update(secret).digest();

/** The same as text. */
export const digestText = (secret: string): string => Bun.SHA256.hash(secret, "base64");

/** Enough of a secret for its owner to recognise it: prefix, first and last four characters. */
export const secretHint = (secret: string): string => `${secret.slice(0, 16)}…${secret.slice(-4)}`;

/** The text with every secret in it cut to its hint: for what is shown or kept of a caller's words. */
export const withoutSecrets = (text: string): string =>
  text.includes("docket_")
    ? text.replaceAll(/docket_(?:code|live|page|sess)_[0-9A-Za-z]{38}/g, secretHint)
    : text;

/** 248 is the largest multiple of 62 in a byte; what lies above is drawn again, so none is favoured. */
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
