import { type Instant, SECOND } from "../base/instant.ts";
import type { Random } from "../base/secret.ts";

/** How long each code is shown, in ms (RFC 6238, 4.1). */
const STEP = 30 * SECOND;
const DIGITS = 6;
/** The clocks of people's phones differ a little: the codes before and after the current one count too. */
const DRIFT = 1;
/** In bytes: as long as the HMAC's output, as RFC 4226, 4 recommends. */
const SECRET_LENGTH = 20;

/** Returns a new secret of 160 bits for an authenticator app. */
export const mintTotpSecret = (random: Random): Uint8Array => random(SECRET_LENGTH);

/** The number of the 30 seconds that a time falls into. */
export const totpStep = (now: Instant): number => Math.floor(now / STEP);

/** The six digits for one step (RFC 6238 with HMAC-SHA-1, which is what every app supports). */
export const totpCode = (secret: Uint8Array, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = new Bun.CryptoHasher("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
};

/**
 * The newest step around `now` whose code was typed; null if it is none of theirs. Spaces do not matter. The
 * caller refuses a step that is not newer than the last one used: a code is accepted once (RFC 6238, 5.2).
 */
export const totpStepOf = (secret: Uint8Array, typed: string, now: Instant): number | null => {
  const digits = Buffer.from(typed.normalize("NFKC").replaceAll(/\s/g, ""));
  if (digits.length !== DIGITS) return null;
  const current = totpStep(now);
  for (let step = current + DRIFT; step >= current - DRIFT; step--)
    if (crypto.timingSafeEqual(digits, Buffer.from(totpCode(secret, step)))) return step;
  return null;
};

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes as people type them into an app (RFC 4648, 6). A secret's 20 bytes need no padding. */
export const base32 = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replaceAll(/.{1,5}/g, (five) =>
    BASE32.charAt(Number.parseInt(five.padEnd(5, "0"), 2)),
  );
};

/** What an authenticator app reads from a QR code: whose secret it is, and the secret. */
export const totpAddress = (secret: Uint8Array, email: string): string =>
  `otpauth://totp/Docket:${encodeURIComponent(email)}?secret=${base32(secret)}&issuer=Docket`;
