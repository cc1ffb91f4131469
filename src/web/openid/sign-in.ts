import { readAccount } from "../../db/people/accounts.ts";
import { useIdentity } from "../../db/people/identities.ts";
import { hasAuthenticator } from "../../db/people/browser-sessions.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { networkOf } from "../../server/checks/request.ts";
import { cryptoRandom, mintSecret } from "../../domain/base/secret.ts";
import type { PageContext, SignedInContext } from "../shared/page.ts";
import { signIn } from "../entry/browser-sign-in.ts";
import { askForCode } from "../entry/again.tsx";
import { safeNext } from "../entry/signed-in-for.ts";
import { logFailure, renew } from "../entry/proof.ts";
import { waitingBrowser } from "../entry/waiting.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { begin, pageOf, type Proven, providerOf, redeem } from "./begin.ts";
import { type Errand, errandKey, foundKey } from "./errand.ts";
import { type Fault, faultOf, faultPage, refusalCode } from "./faults.tsx";

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
  if (outcome === "unlinked" || outcome === "other")
    logFailure(context, "OpenID", context.who?.account.email ?? null);
  return typeof outcome === "string"
    ? faultPage(context, outcome, pageOf(errand.purpose, errand.next), errand.next)
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
      : enter(context, accountId, errand.next, proven.provenAt ?? 0);
  if (!context.who || accountId !== context.who.account.id) return "other";
  const { account, browserSession, needsCode } = context.who;
  const first = { by: "openid again", browserSessionId: browserSession.id } as const;
  if (needsCode) return askForCode(context, { account, first, next: errand.next });
  const stays = await renew(context, accountId, browserSession.id);
  return stays ? seeOther(errand.next) : "stale";
};

/** The account's own second factor counts here too: the provider may have let them in with a password alone. */
const enter = async (
  context: PageContext,
  accountId: number,
  next: string,
  provenAt: Instant,
): Promise<PageReply> => {
  const account = await readAccount(context.store, accountId);
  return account && (await hasAuthenticator(context.store.reader, accountId))
    ? askForCode(context, { account, first: { by: "openid", provenAt }, next })
    : signIn(context, accountId, "openid", next, provenAt);
};
