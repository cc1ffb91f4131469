import { useIdentity } from "../../db/people/identities.ts";
import { networkOf } from "../../server/origin.ts";
import { cryptoRandom, mintSecret } from "../../domain/base/secret.ts";
import type { PageContext, SignedInContext } from "../shared/context.ts";
import { signIn } from "../entry/browser-sign-in.ts";
import { safeNext } from "../entry/next.ts";
import { renew } from "../entry/proof.ts";
import { waitingBrowser } from "../entry/waiting.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { begin, pageOf, providerOf } from "./begin.ts";
import { type Errand, errandKey, foundKey } from "./errand.ts";
import { type Fault, faultOf, faultPage, refusalCode } from "./faults.tsx";
import { type Proven, redeem } from "./redeem.ts";

/** `GET /sign-in/openid`: to the provider, to sign in. */
export const getOpenId = (context: PageContext): Promise<PageReply> =>
  begin(context, "sign-in", safeNext(context.query.get("next")));

/** `GET /account/confirm/openid`: to the provider, to prove there who is here. */
export const getConfirmOpenId = (context: SignedInContext): Promise<PageReply> =>
  begin(context, "confirm", safeNext(context.query.get("next"), "/account"));

/**
 * `GET /sign-in/openid/callback`: back from the provider. The state says what the trip was for, and only in
 * the browser that started it: a code from a trip that started elsewhere is not even looked at.
 */
export const getCallback = async (context: PageContext): Promise<PageReply> => {
  providerOf(context);
  const browser = waitingBrowser(context) ?? "";
  const errand = context.service.errands.take(errandKey(browser, context.query.get("state") ?? ""));
  if (
    !errand ||
    (errand.browserSessionId !== null && errand.browserSessionId !== context.who?.browserSession.id)
  )
    return faultPage(context, "stale", context.who ? "/account" : pageOf("sign-in", "/tasks"));
  const outcome = await redeem(context, errand).then(
    (proven) => arrive(context, errand, proven),
    (error: unknown) => faultIn(context, error),
  );
  return typeof outcome === "string"
    ? faultPage(context, outcome, pageOf(errand.purpose, errand.next))
    : outcome;
};

const faultIn = (context: PageContext, error: unknown): Fault => {
  const { log } = context.service;
  const fault = faultOf(error);
  const code = refusalCode(error);
  if (code === null) log.error("OpenID sign-in failed", error);
  else if (fault === "refused") log.warn("the OpenID provider refused", { code });
  return fault;
};

const arrive = async (
  context: PageContext,
  errand: Errand,
  proven: Proven,
): Promise<Fault | PageReply> => {
  const { service, store, now } = context;
  if (errand.purpose === "link") {
    const ticket = mintSecret("page", cryptoRandom);
    service.found.put(
      foundKey(errand.browserSessionId ?? "", ticket),
      proven,
      networkOf(context.address),
    );
    return seeOther(`/account/openid/found?ticket=${ticket}`);
  }
  const accountId = await useIdentity(store, proven.issuer, proven.subject, now);
  if (errand.purpose === "sign-in")
    // If the provider let them through without asking, they have proved nothing now, and what cannot be
    // undone asks again.
    return accountId === null
      ? "unlinked"
      : signIn(context, accountId, "openid", errand.next, proven.provenAt ?? 0);
  if (!context.who || accountId !== context.who.account.id) return "other";
  const stays = await renew(context, accountId, context.who.browserSession.id);
  return stays ? seeOther(errand.next) : "stale";
};
