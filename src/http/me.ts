import { entitlement } from "../account.ts";
import { formatInstant } from "../instant.ts";
import { showLeash } from "../leash.ts";
import { type Ask, callerOf } from "./ask.ts";
import { json, type Reply } from "../door/reply.ts";

/** `GET /me`: whose credential this is, and what it may do. */
export const getMe = (ask: Ask): Reply => {
  const { account, kind, scopes, leash, expiresAt } = callerOf(ask);
  const { plan } = entitlement(account, ask.now);
  return json({
    id: account.uid,
    email: account.email,
    plan,
    credential: kind,
    scopes,
    restriction: showLeash(leash),
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
  });
};

/** `GET /entitlement`: whether the account is Pro, and when to ask again. */
export const getEntitlement = (ask: Ask): Reply =>
  json(entitlement(callerOf(ask).account, ask.now));
