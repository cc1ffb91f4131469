import { linkIdentity, listIdentities, unlinkIdentity } from "../../db/identities.ts";
import { Refusal } from "../../refusal.ts";
import type { SignedInAsk } from "../ask.ts";
import { askAgain } from "../entry/again.tsx";
import { proveAgain } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { FormProblem } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Shown } from "../ui/shown.tsx";
import { begin, providerOf } from "./begin.ts";
import { type Found, foundKey } from "./errand.ts";
import { faultPage } from "./faults.tsx";

/**
 * `GET /account/openid/link`: to the provider, to find an identity. Nothing is linked on the way back: the
 * person first sees which identity it is, and confirms it in a form of ours. So neither another site (which
 * could send them through this address) nor someone who has signed them in there as somebody else (OAuth 2.0
 * Security BCP, 4.7) gets access to their account.
 */
export const getLink = (ask: SignedInAsk): Promise<PageReply> =>
  begin(ask, "link", "/account/security");

/** `GET /account/openid/found`: the identity that the provider has proved, and whether to link it. */
export const getFound = (ask: SignedInAsk): PageReply =>
  showFound(ask, ask.query.get("ticket") ?? "", NO_PROBLEMS);

/** `POST /account/openid/link`: links it. */
export const postLink = async (ask: SignedInAsk): Promise<PageReply> => {
  const { account, visit } = ask.who;
  const ticket = field(ask.form, "ticket");
  const found = ask.service.found.find(foundKey(visit.id, ticket));
  if (!found) return showFound(ask, ticket, NO_PROBLEMS);
  const problems = await proveAgain(ask);
  if (!isEmpty(problems)) return showFound(ask, ticket, problems);
  try {
    await linkIdentity(ask.store, account.id, found, ask.now);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "invalid") throw error;
    return showFound(ask, ticket, { "": error.message });
  }
  ask.service.found.take(foundKey(visit.id, ticket));
  return seeOther("/account/security?done=linked");
};

/** `POST /account/openid/unlink`: the identity no longer signs anyone in. */
export const postUnlink = async (ask: SignedInAsk): Promise<PageReply> => {
  const { id: accountId } = ask.who.account;
  const [issuer, subject] = [field(ask.form, "issuer"), field(ask.form, "subject")];
  const linked = await listIdentities(ask.store, accountId);
  const identity = linked.find((one) => one.issuer === issuer && one.subject === subject);
  if (!identity) return seeOther("/account/security");
  const asked = await askAgain(ask, {
    title: "Unlink an identity",
    about: `“${identity.label}” is not unlinked yet. Once you unlink it, nobody can sign in to this account with it.`,
    action: "/account/openid/unlink",
    button: "Unlink identity",
    fields: { issuer, subject },
  });
  if (asked) return asked;
  await unlinkIdentity(ask.store, accountId, issuer, subject);
  return seeOther("/account/security?done=unlinked");
};

const showFound = (ask: SignedInAsk, ticket: string, problems: Problems): PageReply => {
  const found = ask.service.found.find(foundKey(ask.who.visit.id, ticket));
  if (!found) return faultPage(ask, "stale", "/account/security");
  const page = <FoundPage ask={ask} ticket={ticket} found={found} problems={problems} />;
  return html(page, { status: problems === NO_PROBLEMS ? 200 : 422 });
};

type FoundProps = {
  readonly ask: SignedInAsk;
  readonly ticket: string;
  readonly found: Found;
  readonly problems: Problems;
};

const FoundPage = ({ ask, ticket, found, problems }: FoundProps) => (
  <Layout title="Link this identity?" account={ask.who.account} at="/account/security">
    <p>
      You are signed in at {providerOf(ask).name} as{" "}
      <strong>
        <Shown text={found.label} />
      </strong>
      . Once you link this identity, anyone who signs in there as that user can use your account
      here.
    </p>
    <form method="post" action="/account/openid/link" novalidate>
      <FormProblem problems={problems} />
      <input type="hidden" name="ticket" value={ticket} />
      <ProofField ask={ask} problems={problems} back="/account/security" />
      <div class="actions">
        <button class="main">Link identity</button>
        <a href="/account/security">Cancel, this is not me</a>
      </div>
    </form>
  </Layout>
);
