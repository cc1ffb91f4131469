import { DAY, type Instant, MINUTE } from "./instant.ts";

/** How someone proved who they are. `setup` stands for a set-up or invitation code. */
export type SignInMethod = "openid" | "passkey" | "password" | "setup";

/** A browser that is signed in to the account area: what stands behind its cookie. */
export type Visit = {
  readonly id: string;
  readonly accountId: number;
  readonly method: SignInMethod;
  /** What the browser calls itself. */
  readonly client: string | null;
  /** The network address that it signed in from. */
  readonly address: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  /** When whoever sits there last proved who they are. */
  readonly authenticatedAt: Instant;
  readonly endedAt: Instant | null;
};

const IDLE = 14 * DAY;
const ABSOLUTE = 90 * DAY;
/** How long a proof is good enough for what cannot be taken back: keys, passwords, passkeys. */
const RECENT = 10 * MINUTE;

/** A visit ends after 14 days without use, and after 90 days in all. */
export const visitExpiry = (visit: Visit): Instant =>
  Math.min(visit.lastUsedAt + IDLE, visit.createdAt + ABSOLUTE);

export const isVisitLive = (visit: Visit, now: Instant): boolean =>
  visit.endedAt === null && visitExpiry(visit) > now;

/** Whether the proof is at most 10 minutes old (OWASP ASVS 5.0, 7.5.3). One from the future is not. */
export const isRecent = (visit: Visit, now: Instant): boolean =>
  visit.authenticatedAt <= now && now - visit.authenticatedAt <= RECENT;
