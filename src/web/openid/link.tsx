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
 * `GET /account/openid/link`: to the provider, to find an identity. Nothing is linked on the way back:
 * the person sees first which identity it is, and says so by a form of ours. So neither another site
 * (which could lead them through this address) nor whoever has signed them in there as somebody else
 * (OAuth 2.0 Security BCP, 4.7) gets a way in to their account.
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

/** `POST /account/openid/unlink`: the identity signs nobody in any more. */
export const postUnlink = async (ask: SignedInAsk): Promise<PageReply> => {
  const { id: accountId } = ask.who.account;
  const [issuer, subject] = [field(ask.form, "issuer"), field(ask.form, "subject")];
  const linked = await listIdentities(ask.store, accountId);
  const identity = linked.find((one) => one.issuer === issuer && one.subject === subject);
  if (!identity) return seeOther("/account/security");
  const asked = await askAgain(ask, {
    title: "Unlink an identity",
    about: `“${identity.label}” is not unlinked yet. Once it is, signing in there leads to this account no more.`,
    action: "/account/openid/unlink",
    button: "Unlink it",
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
      At {providerOf(ask).name} you are signed in as{" "}
      <strong>
        <Shown text={found.label} />
      </strong>
      . Once it is linked, whoever signs in there as that user gets in to your account here.
    </p>
    <form method="post" action="/account/openid/link" novalidate>
      <FormProblem problems={problems} />
      <input type="hidden" name="ticket" value={ticket} />
      <ProofField ask={ask} problems={problems} back="/account/security" />
      <div class="actions">
        <button class="main">Link it</button>
        <a href="/account/security">This is not me: leave it</a>
      </div>
    </form>
  </Layout>
);
