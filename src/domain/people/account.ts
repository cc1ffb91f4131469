import { DAY, formatInstant, type Instant } from "../base/instant.ts";
import type { Restriction, Scope } from "./api-key.ts";

export type Plan = "free" | "pro";

export type Account = {
  readonly id: number;
  /** The identifier that `GET /me` returns. */
  readonly uid: string;
  readonly email: string;
  readonly plan: Plan;
  readonly planSource: string;
  /** When Pro ends, if an end was set. */
  readonly planUntil: Instant | null;
  /** When Pro was last taken away. */
  readonly proEndedAt: Instant | null;
  readonly createdAt: Instant;
  readonly disabledAt: Instant | null;
  /** Whether this account set the server up. There is one owner, who may invite others. */
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

/**
 * Returns the reply of `GET /entitlement`. Pro is granted 30 days ahead, so that a client can work
 * offline that long.
 */
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

/** Returns when Pro ended, or will end by itself; null if it never has and will not. */
export const proEnd = (account: Account): Instant | null =>
  account.plan === "pro" ? account.planUntil : account.proEndedAt;

/**
 * Returns an e-mail address as accounts are found by it: trimmed, in lower case and in Unicode's form NFKC, because
 * people do not always type it the same way, and nobody should have an account under another's address in other
 * letters. Null if it is not an address of at most 254 characters, or has some that nobody sees.
 */
export const normaliseEmail = (text: string): string | null => {
  const email = text.normalize("NFKC").trim().toLowerCase();
  return ADDRESS.test(email) && !UNSEEN.test(email) && email.length <= 254 ? email : null;
};

const ADDRESS = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/** The holder of an accepted credential: a person's device, or one of their API keys. */
export type Caller = {
  readonly kind: "api_key" | "session";
  /** The id of the key or session. */
  readonly id: string;
  readonly name: string;
  readonly account: Account;
  readonly scopes: readonly Scope[];
  /** Null for the whole account, and for every session. */
  readonly restriction: Restriction | null;
  readonly expiresAt: Instant | null;
  /** Whether a person reviews what it creates. Absent for a session. */
  readonly review?: boolean;
  /** When the device last synced. Keys never sync. */
  readonly lastSyncAt?: Instant | null;
};

/**
 * Whether the caller may see what is stored. To one who may not, a write replies with ids and what was sent, nothing
 * else.
 */
export const mayRead = ({ scopes }: Pick<Editor, "scopes">): boolean =>
  scopes?.includes("read") ?? true;

/** A key, a device, or a person on Docket's own pages or command line. */
export type ActorKind = "api_key" | "person" | "session";

/** Who makes a change. */
export type Actor = {
  readonly kind: ActorKind;
  /** The id of the key or session; null for a person on Docket's own pages. */
  readonly id: string | null;
  /** The name of the key or session. */
  readonly name: string;
};

/** Who makes a change over REST or MCP, and their restriction. */
export type Editor = Actor & {
  readonly restriction: Restriction | null;
  /** Absent for a person. */
  readonly scopes?: readonly Scope[];
  /** Whether a person reviews what it creates. */
  readonly review?: boolean;
  /** Whether it writes to tasks that another key has claimed. */
  readonly overrides?: boolean;
};

/** A person on Docket's own pages or command line. */
export const SOMEONE: Actor = { kind: "person", id: null, name: "" };

/** Whether tasks in the trash exist for this actor. They do not for keys. */
export const seesTrash = ({ kind }: Pick<Actor, "kind">): boolean => kind !== "api_key";

/** Who created a task, tab or note. Always taken from the credential, never from a body. */
export type Author = {
  readonly created_by: "agent" | "person";
  /** The key's name, if a key created it. */
  readonly created_by_key: string | null;
};

export const PERSON: Author = { created_by: "person", created_by_key: null };

export const authorOf = (actor: Actor): Author =>
  actor.kind === "api_key" ? { created_by: "agent", created_by_key: actor.name } : PERSON;
