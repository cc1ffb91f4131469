import type { Service } from "../../server/service.ts";
import { DAY, MINUTE } from "../../domain/base/instant.ts";
import { type Hasher, startHasher } from "../../domain/people/password.ts";
import { type OpenId, startOpenId } from "../openid/provider.ts";
import type { Halfway } from "../entry/halfway.ts";
import type { Errand, Found } from "../openid/errand.ts";
import { type Pending, startPending } from "./form.ts";

/** Everything the account area needs, in addition to what all entry points share. */
export type WebService = Service & {
  readonly hasher: Hasher;
  /** Challenges that passkeys have yet to answer, each with the host name it was made for. */
  readonly challenges: Pending<string>;
  /** The OpenID provider that people may sign in with; null if none is configured. */
  readonly openId: OpenId | null;
  /** The keys that forms have created, each by the browser session and the form: none creates a second one. */
  readonly madeKeys: Pending<string>;
  /** Sign-ins whose first proof was right, and that wait for a code. */
  readonly halfway: Pending<Halfway>;
  /** Secrets that authenticator apps have been shown, each by the browser session and a ticket. */
  readonly offered: Pending<Uint8Array>;
  /** Trips to the provider from which nobody has returned yet. */
  readonly errands: Pending<Errand>;
  /** Identities that someone has proved but not yet decided to link. */
  readonly found: Pending<Found>;
};

export const startWeb = (service: Service): WebService => {
  const { clock, settings } = service;
  return {
    ...service,
    hasher: startHasher(),
    challenges: startPending(5 * MINUTE, clock),
    openId: settings.openId && startOpenId(settings.openId, clock),
    madeKeys: startPending(DAY, clock),
    halfway: startPending(10 * MINUTE, clock),
    offered: startPending(30 * MINUTE, clock),
    errands: startPending(10 * MINUTE, clock),
    found: startPending(10 * MINUTE, clock),
  };
};
