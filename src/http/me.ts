import { entitlement } from "../domain/people/account.ts";
import { formatInstant } from "../domain/base/instant.ts";
import { showRestriction } from "../domain/people/restriction.ts";
import { type ApiContext, callerOf } from "./context.ts";
import { json, type Reply } from "../server/reply.ts";

/** `GET /me`: who the credential belongs to, and what it may do. */
export const getMe = (context: ApiContext): Reply => {
  const { account, kind, scopes, restriction, expiresAt } = callerOf(context);
  const { plan } = entitlement(account, context.now);
  return json({
    id: account.uid,
    email: account.email,
    plan,
    credential: kind,
    scopes,
    restriction: showRestriction(restriction),
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
  });
};

/** `GET /entitlement`: whether the account is Pro, and when to ask again. */
export const getEntitlement = (context: ApiContext): Reply =>
  json(entitlement(callerOf(context).account, context.now));
