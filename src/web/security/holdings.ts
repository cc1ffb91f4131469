import { listIdentities } from "../../db/identities.ts";
import { type Invitation, listInvitations } from "../../db/invitations.ts";
import { listPasskeys } from "../../db/passkeys.ts";
import { listRedirects, type Redirect } from "../../db/redirects.ts";
import { listVisits } from "../../db/visits.ts";
import type { Identity } from "../../identity.ts";
import type { Passkey } from "../../passkey.ts";
import type { Visit } from "../../visit.ts";
import type { SignedInAsk } from "../ask.ts";

/** Everything that gives access to an account, and every browser that has it. */
export type Holdings = {
  readonly passkeys: readonly Passkey[];
  readonly identities: readonly Identity[];
  readonly visits: readonly Visit[];
  readonly redirects: readonly Redirect[];
  readonly invitations: readonly Invitation[];
};

export const readHoldings = async ({ store, who, now }: SignedInAsk): Promise<Holdings> => {
  const { id } = who.account;
  return {
    passkeys: await listPasskeys(store, id),
    identities: await listIdentities(store, id),
    visits: await listVisits(store, id, now),
    redirects: await listRedirects(store, id),
    invitations: await listInvitations(store, id, now),
  };
};
