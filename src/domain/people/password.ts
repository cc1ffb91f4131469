import { Refusal } from "../base/refusal.ts";
import { beginsCommonly } from "./common-passwords.ts";
import { byteLength } from "../base/text.ts";

const SHORTEST = 8;
/** In bytes. A longer password is refused, not cut. */
const LONGEST = 256;

/**
 * A password as it is hashed: with composed letters (RFC 8265, section 4.2.2). Some systems type `ä` as one character,
 * others as two, and a password must not depend on the keyboard.
 */
const composed = (password: string): string => password.normalize("NFC");

export const isSamePassword = (one: string, other: string): boolean =>
  composed(one) === composed(other);

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * Returns what is wrong with a new password, or null if it is fine (OWASP ASVS 5.0, 6.2). It may be
 * too short, too long, or among the first that anyone would guess. Spaces count, and no rule says
 * which characters it must contain.
 */
export const passwordProblem = (typed: string, email: string): string | null => {
  const password = composed(typed);
  if (password.length < SHORTEST)
    return `The password must have at least ${SHORTEST} characters. A whole sentence is easy to remember.`;
  if (byteLength(password) > LONGEST) return `The password must be at most ${LONGEST} bytes long.`;
  const plain = plainly(password);
  const once = REPEATED.exec(plain)?.[1];
  return (once && once.length < SHORTEST) || isGuessable(once ?? plain, plainly(email))
    ? "This password is too easy to guess. Choose another one."
    : null;
};

/** A text as someone sees it who guesses: in small letters, without spaces, accents and wide letters. */
const plainly = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\p{M}\s]/gu, "");

/** The same text twice or more is as easy to guess as once. */
const REPEATED = /^(.+?)\1+$/s;

/** As many characters after a common password do not make it another one: a year, for example. */
const ENDING = 4;

/** Few different characters, a run along the keyboard or the alphabet, a common word or password, or the e-mail address. */
const isGuessable = (plain: string, email: string): boolean =>
  new Set(plain).size < 4 ||
  beginsCommonly(plain, ENDING) ||
  RUNS.some((run) => run.includes(plain.slice(0, Math.max(plain.length - 3, 6)))) ||
  COMMON.some((word) => plain.startsWith(word) && plain.length - word.length <= ENDING) ||
  isAbout(plain, email);

/** The e-mail address, or a part of it, and little more. */
const isAbout = (plain: string, email: string): boolean =>
  [email, ...email.split("@")].some(
    (word) => word.length >= 4 && plain.includes(word) && plain.length - word.length <= 4,
  );

const RUNS = [
  "01234567890123456789",
  "98765432109876543210",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "1q2w3e4r5t6y7u8i9o0p",
  "qazwsxedcrfvtgbyhnujmikolp",
  "zaq12wsxcde34rfvbgt56yhn",
];

/** Words that leaked passwords often begin with, if too short for the list of common passwords, and words of this program. */
const COMMON = [
  "p@ssword",
  "contraseña",
  "batman",
  "pokemon",
  "letmein",
  "welcome",
  "samsung",
  "michael",
  "charlie",
  "jordan",
  "chelsea",
  "arsenal",
  "monkey",
  "dragon",
  "shadow",
  "master",
  "freedom",
  "mustang",
  "ferrari",
  "admin",
  "default",
  "secret",
  "qwerty",
  "asdf",
  "zxcvbn",
  "abc123",
  "docket",
  "google",
  "linkedin",
  "myspace",
];

/**
 * Hashes and verifies passwords, a few at a time: each one needs 19 MiB and a core for a moment.
 */
export type Hasher = {
  /** Returns the argon2id hash of a password's composed form, as PHC text. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether a password matches a hash, as typed, composed or decomposed: older hashes are of what was typed. With null it
   * takes as long and returns false.
   */
  readonly verify: (password: string, hash: string | null) => Promise<boolean>;
};

const AT_ONCE = 2;
const WAITING = 20;

/**
 * Starts a hasher with a queue of its own. With 2 running and 20 waiting, more are refused as
 * `unavailable` at once.
 */
export const startHasher = (): Hasher => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const turn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < AT_ONCE) running++;
    else await queued();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  const queued = (): Promise<void> => {
    if (waiting.length >= WAITING)
      throw new Refusal(
        "unavailable",
        "Too many people are signing in right now. Try again in a few seconds.",
        { "retry-after": "5" },
      );
    return new Promise((resolve) => waiting.push(resolve));
  };

  // Hashed with the same parameters, so that an e-mail without an account takes as long as one with
  // an account.
  let nobodys: Promise<string> | null = null;
  const verify = async (password: string, hash: string | null): Promise<boolean> => {
    nobodys ??= Bun.password.hash(crypto.randomUUID(), ARGON);
    // Awaited either way: only the first e-mail without an account would wait for it otherwise.
    const nobody = await nobodys;
    const against = hash ?? nobody;
    let fits = false;
    // All forms, even after one that fits: the time that it takes must not tell which.
    for (const form of formsOf(password)) fits = (await Bun.password.verify(form, against)) || fits;
    return fits && hash !== null;
  };

  return {
    hash: (password) => turn(() => Bun.password.hash(composed(password), ARGON)),
    verify: (password, hash) => turn(() => verify(password, hash)),
  };
};

/** Most passwords have one form. Those with accents or Hangul have two, or three if they mix composed and decomposed. */
const formsOf = (password: string): ReadonlySet<string> =>
  new Set([password, composed(password), password.normalize("NFD")]);
