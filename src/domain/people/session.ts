import { DAY, type Instant } from "../base/instant.ts";

/** A device that is signed in with a `docket_sess_` token. */
export type Session = {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly revokedAt: Instant | null;
  readonly lastSyncAt: Instant | null;
  /** How many records syncs sent to the device, accepted from it, and rejected. */
  readonly pulled: number | null;
  readonly applied: number | null;
  readonly rejected: number | null;
};

export const IDLE: number = 30 * DAY;
export const ABSOLUTE: number = 180 * DAY;

/** A session ends after 30 days without use, and after 180 days in any case. */
export const sessionExpiry = (session: Session): Instant =>
  Math.min(session.lastUsedAt + IDLE, session.createdAt + ABSOLUTE);

export const isSessionLive = (session: Session, now: Instant): boolean =>
  session.revokedAt === null && sessionExpiry(session) > now;

/** A session's state. */
export type SessionState = "expired" | "live" | "revoked";

export const sessionState = (session: Session, now: Instant): SessionState => {
  if (isSessionLive(session, now)) return "live";
  return session.revokedAt === null ? "expired" : "revoked";
};

/** When a session ended, or will end if it is not used again. */
export const sessionEnd = (session: Session): Instant =>
  Math.min(session.revokedAt ?? Number.POSITIVE_INFINITY, sessionExpiry(session));
