import { DAY, formatInstant, type Instant } from "../base/instant.ts";

export type Plan = "free" | "pro";

export type Account = {
  readonly id: number;
  /** The identifier that `GET /me` shows. */
  readonly uid: string;
  readonly email: string;
  readonly plan: Plan;
  readonly planSource: string;
  /** When Pro ends, if its owner set an end. */
  readonly planUntil: Instant | null;
  /** When Pro last ended by being taken away. */
  readonly proEndedAt: Instant | null;
  readonly createdAt: Instant;
  readonly disabledAt: Instant | null;
  /** Whether it set the server up: one account did, and may invite others. */
  readonly isOwner: boolean;
};

/** The reply of `GET /entitlement` (specification, section 2). */
export type Entitlement = {
  readonly pro: boolean;
  readonly plan: Plan;
  readonly source: string;
  readonly expires_at: string;
  readonly recheck_after: string;
};

export const isPro = (account: Account, now: Instant): boolean =>
  account.plan === "pro" && (account.planUntil === null || account.planUntil > now);

/** Pro is always granted for 30 days ahead, so that a client works offline for that long. */
export const entitlement = (account: Account, now: Instant): Entitlement => {
  const pro = isPro(account, now);
  const ends = account.planUntil ?? Number.POSITIVE_INFINITY;
  return {
    pro,
    plan: pro ? "pro" : "free",
    source: account.planSource,
    expires_at: formatInstant(
      pro ? Math.min(now + 30 * DAY, ends) : (proEnd(account) ?? account.createdAt),
    ),
    recheck_after: formatInstant(pro ? Math.min(now + DAY, ends) : now + DAY),
  };
};

/** When Pro ended, or will end by itself; null if it has never ended. */
export const proEnd = (account: Account): Instant | null =>
  account.plan === "pro" ? account.planUntil : account.proEndedAt;

/** E-mail addresses are compared without case: people do not type it twice alike. */
export const normaliseEmail = (text: string): string | null => {
  const email = text.trim().toLowerCase();
  return /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) && email.length <= 254 ? email : null;
};
