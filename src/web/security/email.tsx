import { changeEmail } from "../../db/people/accounts.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { shellWord } from "../../domain/base/text.ts";
import { type Account, normaliseEmail } from "../../domain/people/account.ts";
import { proveAgain } from "../entry/proof.ts";
import type { SignedInContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { EmailField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";

/** `GET /account/email`: the owner's form for another e-mail address. Others read how the owner changes theirs. */
export const getEmail = (context: SignedInContext): PageReply =>
  context.who.account.isOwner ? showForm(context, "", NO_PROBLEMS) : html(<AskPage {...context} />);

/**
 * `POST /account/email`: changes it. Everyone who is signed in stays so: the address is only a name. Only the owner may:
 * without mail, nothing proves whose an address is, so the outcome would tell anyone which addresses have an account.
 */
export const postEmail = async (context: SignedInContext): Promise<PageReply> => {
  const { store, service, who, address } = context;
  if (!who.account.isOwner) throw new Refusal("forbidden", askOwner(who.account.email));
  const typed = field(context.form, "email");
  const email = normaliseEmail(typed);
  if (email === null)
    return showForm(context, typed, {
      email: "Enter an e-mail address, such as ann@example.org.",
    });
  if (email === who.account.email)
    return showForm(context, typed, { email: "This is already your e-mail address." });
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) return showForm(context, typed, problems);
  const changed = await changeEmail(store, who.account.id, email).catch(orTaken);
  if (changed === null) return showForm(context, typed, { email: UNUSABLE });
  service.log.info("an e-mail address was changed", {
    address,
    account: who.account.email,
    to: changed.email,
  });
  return seeOther("/account/security?done=email");
};

const UNUSABLE = "This address cannot be used. Choose another one.";

const orTaken = (error: unknown): null => {
  if (error instanceof Refusal && error.reason === "invalid") return null;
  throw error;
};

const AskPage = ({ who }: SignedInContext) => (
  <Layout title="Change your e-mail address" account={who.account} at="/account/security">
    <p>{askOwner(who.account.email)}</p>
    <p>
      <a href="/account/security">Back to Security</a>
    </p>
  </Layout>
);

/** The same whatever was typed. */
const askOwner = (email: string): string =>
  `Only the owner of this server can change your e-mail address. Ask them to run this command on the server's machine: docket account email ${shellWord(email)} NEW-EMAIL`;

const showForm = (context: SignedInContext, typed: string, problems: Problems): PageReply => {
  const { account } = context.who;
  return html(
    <Layout title="Change your e-mail address" account={account} at="/account/security">
      <p>
        You sign in with <strong>{account.email}</strong> now. Docket sends no mail, so it does not
        check that the new address is yours. Browsers and devices stay signed in. A passkey may keep
        showing the old address; it works as before.
      </p>
      <form method="post" action="/account/email" novalidate>
        <EmailField label="New e-mail" value={typed} problems={problems} />
        <ProofField context={context} problems={problems} />
        <div class="actions">
          <button class="main">Change e-mail</button>
          <a href="/account/security">Cancel</a>
        </div>
      </form>
    </Layout>,
    { status: problems === NO_PROBLEMS ? 200 : 422 },
  );
};

/** The account's address, and the way to change it. */
export const EmailSection = ({ account }: { readonly account: Account }) => (
  <section>
    <h2>E-mail</h2>
    <p>
      You sign in with <strong>{account.email}</strong>.{" "}
      <a href="/account/email">
        {account.isOwner ? "Change your e-mail address" : "How to change your e-mail address"}
      </a>
    </p>
  </section>
);
