import { DAY, type Instant } from "../base/instant.ts";

/** A device that is signed in: what stands behind a `docket_sess_` token. */
export type Session = {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly revokedAt: Instant | null;
  readonly lastSyncAt: Instant | null;
  /** Records that syncs delivered to the device, took from it, and did not take as it sent them. */
  readonly pulled: number | null;
  readonly applied: number | null;
  readonly rejected: number | null;
};

const IDLE = 30 * DAY;
const ABSOLUTE = 180 * DAY;

/** A session ends after 30 days without use, and after 180 days in all. */
export const sessionExpiry = (session: Session): Instant =>
  Math.min(session.lastUsedAt + IDLE, session.createdAt + ABSOLUTE);

export const isSessionLive = (session: Session, now: Instant): boolean =>
  session.revokedAt === null && sessionExpiry(session) > now;

/** How a session stands. */
export type SessionState = "expired" | "live" | "revoked";

export const sessionState = (session: Session, now: Instant): SessionState => {
  if (isSessionLive(session, now)) return "live";
  return session.revokedAt === null ? "expired" : "revoked";
};

/** When a session ended, or will if it is not used again. */
export const sessionEnd = (session: Session): Instant =>
  Math.min(session.revokedAt ?? Number.POSITIVE_INFINITY, sessionExpiry(session));
