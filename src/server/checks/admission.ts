import { isPro } from "../../domain/people/account.ts";
import type { Caller, Scope } from "../../domain/people/caller.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";

/** Who may call an endpoint (specification, section 4, column Credential). */
export type Access = {
  readonly callers: "anyone" | "session" | "session or key";
  /** The scope that a key needs. */
  readonly scope: Scope | null;
  /** Whether a key also needs its account to be Pro. */
  readonly pro: boolean;
};

export const ANYONE: Access = { callers: "anyone", scope: null, pro: false };
export const SESSION: Access = { callers: "session", scope: null, pro: false };
/** Any credential that is accepted, whatever its scopes and its account's plan. */
export const ANY_CREDENTIAL: Access = { callers: "session or key", scope: null, pro: false };
/** Any credential of whoever may use keys; which scope is needed is asked later. */
export const ANY_SCOPE: Access = { callers: "session or key", scope: null, pro: true };
export const READ: Access = { callers: "session or key", scope: "read", pro: true };
export const WRITE: Access = { callers: "session or key", scope: "write", pro: true };

/** Refuses a key what it may not do. A session may do everything. */
export const checkAccess = (caller: Caller, access: Access, now: Instant): void => {
  checkKind(caller, access);
  checkScope(caller, access);
  checkPlan(caller, access, now);
};

/** Refuses a key what is for sessions alone. */
const checkKind = ({ kind }: Caller, { callers }: Access): void => {
  if (kind !== "api_key" || callers !== "session") return;
  throw new Refusal(
    "forbidden",
    "API keys cannot sync. Only the extension can call /sync, with its own session.",
  );
};

/** Refuses a key that lacks the scope. A session has all. */
const checkScope = ({ kind, scopes }: Caller, { scope }: Access): void => {
  if (kind !== "api_key" || scope === null || scopes.includes(scope)) return;
  throw new Refusal(
    "forbidden",
    `This key does not have the ${scope} scope. Use a key that has it.`,
    {
      "www-authenticate": `Bearer realm="docket", error="insufficient_scope", scope="${scope}"`,
    },
  );
};

/** Refuses the key of an account whose plan has no keys. A plan never limits a session. */
const checkPlan = ({ kind, account }: Caller, { pro }: Access, now: Instant): void => {
  if (kind !== "api_key" || !pro || isPro(account, now)) return;
  throw new Refusal(
    "forbidden",
    "API keys need a Pro account, and this account is on the free plan.",
  );
};
