import { linkIdentity, listIdentities, unlinkIdentity } from "../../db/people/identities.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { askAgain } from "../entry/again.tsx";
import { proveAgain } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { FormProblem } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Shown } from "../ui/parts.tsx";
import { begin, providerOf } from "./begin.ts";
import { type Found, foundKey } from "./errand.ts";
import { faultPage } from "./faults.tsx";

/**
 * `GET /account/openid/link`: to the provider, to find an identity. Nothing is linked on the way back: the
 * person first sees which identity it is, and confirms it in a form of ours. So neither another site (which
 * could send them through this address) nor someone who has signed them in there as somebody else (OAuth 2.0
 * Security BCP, 4.7) gets access to their account.
 */
export const getLink = (context: SignedInContext): Promise<PageReply> =>
  begin(context, "link", "/account/security");

/** `GET /account/openid/found`: the identity that the provider has proved, and whether to link it. */
export const getFound = (context: SignedInContext): PageReply =>
  showFound(context, context.query.get("ticket") ?? "", NO_PROBLEMS);

/** `POST /account/openid/link`: links it. */
export const postLink = async (context: SignedInContext): Promise<PageReply> => {
  const { account, browserSession } = context.who;
  const ticket = field(context.form, "ticket");
  const found = context.service.found.find(foundKey(browserSession.id, ticket));
  if (!found) return showFound(context, ticket, NO_PROBLEMS);
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) return showFound(context, ticket, problems);
  try {
    await linkIdentity(context.store, account.id, found, context.now);
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "invalid") throw error;
    return showFound(context, ticket, { "": error.message });
  }
  context.service.found.take(foundKey(browserSession.id, ticket));
  noteChange(context, "an OpenID identity was linked");
  return seeOther("/account/security?done=linked");
};

/** `POST /account/openid/unlink`: the identity no longer signs anyone in. */
export const postUnlink = async (context: SignedInContext): Promise<PageReply> => {
  const { id: accountId } = context.who.account;
  const [issuer, subject] = [field(context.form, "issuer"), field(context.form, "subject")];
  const linked = await listIdentities(context.store, accountId);
  const identity = linked.find((one) => one.issuer === issuer && one.subject === subject);
  if (!identity) return seeOther("/account/security");
  const asked = await askAgain(context, {
    title: "Unlink an identity",
    about: `“${identity.label}” is not unlinked yet. Once you unlink it, nobody can sign in to this account with it.`,
    action: "/account/openid/unlink",
    button: "Unlink identity",
    fields: { issuer, subject },
  });
  if (asked) return asked;
  await unlinkIdentity(context.store, accountId, issuer, subject);
  noteChange(context, "an OpenID identity was unlinked");
  return seeOther("/account/security?done=unlinked");
};

const showFound = (context: SignedInContext, ticket: string, problems: Problems): PageReply => {
  const found = context.service.found.find(foundKey(context.who.browserSession.id, ticket));
  if (!found) return faultPage(context, "stale", "/account/security");
  const page = <FoundPage context={context} ticket={ticket} found={found} problems={problems} />;
  return html(page, { status: problems === NO_PROBLEMS ? 200 : 422 });
};

type FoundProps = {
  readonly context: SignedInContext;
  readonly ticket: string;
  readonly found: Found;
  readonly problems: Problems;
};

const FoundPage = ({ context, ticket, found, problems }: FoundProps) => (
  <Layout title="Link this identity?" account={context.who.account} at="/account/security">
    <p>
      You are signed in at {providerOf(context).name} as{" "}
      <strong>
        <Shown text={found.label} />
      </strong>
      . Once you link this identity, anyone who signs in there as that user can use your account
      here.
    </p>
    <form method="post" action="/account/openid/link" novalidate>
      <FormProblem problems={problems} />
      <input type="hidden" name="ticket" value={ticket} />
      <ProofField context={context} problems={problems} back="/account/security" />
      <div class="actions">
        <button class="main">Link identity</button>
        <a href="/account/security">Cancel, this is not me</a>
      </div>
    </form>
  </Layout>
);
