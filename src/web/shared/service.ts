import type { Service } from "../../server/service.ts";
import { MINUTE } from "../../domain/base/instant.ts";
import { type Hasher, startHasher } from "../../domain/people/password.ts";
import { type OpenId, startOpenId } from "../openid/provider.ts";
import type { Errand, Found } from "../openid/errand.ts";
import { type Pending, startPending } from "./pending.ts";

/** What the account area is made of, beside what every entrance has. */
export type WebService = Service & {
  readonly hasher: Hasher;
  /** Challenges that passkeys are to answer, each with the host name that it is for. */
  readonly challenges: Pending<string>;
  /** The OpenID provider that people may sign in with, if one is set. */
  readonly openId: OpenId | null;
  /** Ways to the provider from which nobody has come back yet. */
  readonly errands: Pending<Errand>;
  /** Identities that someone has proved, and has not decided to link yet. */
  readonly found: Pending<Found>;
};

export const startWeb = (service: Service): WebService => {
  const { clock, settings } = service;
  return {
    ...service,
    hasher: startHasher(),
    challenges: startPending(5 * MINUTE, clock),
    openId: settings.openId && startOpenId(settings.openId, clock),
    errands: startPending(10 * MINUTE, clock),
    found: startPending(10 * MINUTE, clock),
  };
};
