import { changeEmail } from "../../db/people/email.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { normaliseEmail } from "../../domain/people/account.ts";
import { proveAgain } from "../entry/proof.ts";
import type { SignedInContext } from "../shared/context.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { EmailField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";

/** `GET /account/email`: the form for another e-mail address. */
export const getEmail = (context: SignedInContext): PageReply => showForm(context, "", NO_PROBLEMS);

/** `POST /account/email`: changes it. Everyone who is signed in stays so: the address is only a name. */
export const postEmail = async (context: SignedInContext): Promise<PageReply> => {
  const { store, service, who, address } = context;
  const typed = field(context.form, "email");
  const email = normaliseEmail(typed);
  if (email === null)
    return showForm(context, typed, {
      email: "Enter an e-mail address, such as ann@example.org.",
    });
  if (email === who.account.email)
    return showForm(context, typed, { email: "This is already your e-mail address." });
  // Before the look-up: only someone who proves who they are learns which addresses are taken.
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) return showForm(context, typed, problems);
  const changed = await changeEmail(store, who.account.id, email).catch(orTaken);
  if (changed instanceof Refusal) return showForm(context, typed, { email: changed.message });
  service.log.info("an e-mail address was changed", {
    address,
    account: who.account.email,
    to: changed.email,
  });
  return seeOther("/account/security?done=email");
};

const orTaken = (error: unknown): Refusal => {
  if (error instanceof Refusal && error.reason === "invalid") return error;
  throw error;
};

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
export const EmailSection = ({ email }: { readonly email: string }) => (
  <section>
    <h2>E-mail</h2>
    <p>
      You sign in with <strong>{email}</strong>.{" "}
      <a href="/account/email">Change your e-mail address</a>
    </p>
  </section>
);
