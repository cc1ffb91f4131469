import { useIdentity } from "../../db/identities.ts";
import { networkOf } from "../../door/origin.ts";
import { cryptoRandom, mintSecret } from "../../secret.ts";
import type { Ask, SignedInAsk } from "../ask.ts";
import { signIn } from "../entry/arrival.ts";
import { safeNext } from "../entry/next.ts";
import { renew } from "../entry/proof.ts";
import { waitingBrowser } from "../entry/waiting.ts";
import { type PageReply, seeOther } from "../reply.tsx";
import { begin, pageOf, providerOf } from "./begin.ts";
import { type Errand, errandKey, foundKey } from "./errand.ts";
import { type Fault, faultOf, faultPage, refusalCode } from "./faults.tsx";
import { type Proven, redeem } from "./redeem.ts";

/** `GET /sign-in/openid`: to the provider, to sign in. */
export const getOpenId = (ask: Ask): Promise<PageReply> =>
  begin(ask, "sign-in", safeNext(ask.query.get("next")));

/** `GET /account/confirm/openid`: to the provider, to prove there who is here. */
export const getConfirmOpenId = (ask: SignedInAsk): Promise<PageReply> =>
  begin(ask, "confirm", safeNext(ask.query.get("next")));

/**
 * `GET /sign-in/openid/callback`: back from the provider. The state says what the trip was for, and only in
 * the browser that started it: a code from a trip that started elsewhere is not even looked at.
 */
export const getCallback = async (ask: Ask): Promise<PageReply> => {
  providerOf(ask);
  const browser = waitingBrowser(ask) ?? "";
  const errand = ask.service.errands.take(errandKey(browser, ask.query.get("state") ?? ""));
  if (!errand || (errand.visitId !== null && errand.visitId !== ask.who?.visit.id))
    return faultPage(ask, "stale", ask.who ? "/account" : pageOf("sign-in", "/account"));
  const outcome = await redeem(ask, errand).then(
    (proven) => arrive(ask, errand, proven),
    (error: unknown) => faultIn(ask, error),
  );
  return typeof outcome === "string"
    ? faultPage(ask, outcome, pageOf(errand.purpose, errand.next))
    : outcome;
};

const faultIn = (ask: Ask, error: unknown): Fault => {
  const { log } = ask.service;
  const fault = faultOf(error);
  const code = refusalCode(error);
  if (code === null) log.error("OpenID sign-in failed", error);
  else if (fault === "refused") log.warn("the OpenID provider refused", { code });
  return fault;
};

const arrive = async (ask: Ask, errand: Errand, proven: Proven): Promise<Fault | PageReply> => {
  const { service, store, now } = ask;
  if (errand.purpose === "link") {
    const ticket = mintSecret("page", cryptoRandom);
    service.found.put(foundKey(errand.visitId ?? "", ticket), proven, networkOf(ask.address));
    return seeOther(`/account/openid/found?ticket=${ticket}`);
  }
  const accountId = await useIdentity(store, proven.issuer, proven.subject, now);
  if (errand.purpose === "sign-in")
    // If the provider let them through without asking, they have proved nothing now, and what cannot be
    // undone asks again.
    return accountId === null
      ? "unlinked"
      : signIn(ask, accountId, "openid", errand.next, proven.provenAt ?? 0);
  if (!ask.who || accountId !== ask.who.account.id) return "other";
  const stays = await renew(ask, accountId, ask.who.visit.id);
  return stays ? seeOther(errand.next) : "stale";
};
