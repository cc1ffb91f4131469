import { OWNER_STAYS, purgeAccount, shutAccount } from "../../db/people/deletion.ts";
import { normaliseEmail } from "../../domain/people/account.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { proveAgain } from "../entry/proof.ts";
import { clearCookie, type SignedInContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Field } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";

/** `GET /account/delete`: what goes with the account, an export, and the form that deletes it. */
export const getDelete = (context: SignedInContext): PageReply => showForm(context, NO_PROBLEMS);

/** `POST /account/delete`: shuts the account at once. Its rows then go in the background. */
export const postDelete = async (context: SignedInContext): Promise<PageReply> => {
  const { store, service, who, address, origin, now } = context;
  const { id, email, isOwner } = who.account;
  if (isOwner) throw new Refusal("forbidden", OWNER_STAYS);
  if (normaliseEmail(field(context.form, "confirmation")) !== email)
    return showForm(context, { confirmation: `Type ${email} to confirm.` });
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) return showForm(context, problems);
  if (await shutAccount(store, id, now)) {
    service.imports.uploads.forget(id);
    service.log.info("an account was deleted", { address, account: email });
    purgeAccount(store, id).catch((cause: unknown) =>
      service.log.error(
        "a deleted account's rows remain: the server tries again in an hour",
        cause,
      ),
    );
  }
  const done = html(<DonePage email={email} />);
  // The browser erases the web app's copy of the tasks. Over plain http, except on this machine, it ignores this.
  return {
    ...done,
    headers: { ...done.headers, "clear-site-data": '"storage"' },
    cookies: [clearCookie(origin, "docket"), clearCookie(origin, "known")],
  };
};

const DonePage = ({ email }: { readonly email: string }) => (
  <Layout title="Your account is deleted">
    <p>
      Nobody can use the account of <strong>{email}</strong> any more, and the server is deleting
      everything in it. Extensions of your browsers still hold their copies until you sign out in
      them or remove them.
    </p>
  </Layout>
);

const showForm = (context: SignedInContext, problems: Problems): PageReply => {
  const { account } = context.who;
  const page = (
    <Layout title="Delete your account" account={account} at="/account/security">
      {account.isOwner ? <p>{OWNER_STAYS}</p> : <DeleteForm {...{ context, problems }} />}
    </Layout>
  );
  return html(page, { status: problems === NO_PROBLEMS ? 200 : 422 });
};

type FormProps = { readonly context: SignedInContext; readonly problems: Problems };

const DeleteForm = ({ context, problems }: FormProps) => (
  <>
    <p>This cannot be undone. It deletes, from this server:</p>
    <ul>
      <li>all your tasks, tabs, notes and folders, with their history</li>
      <li>your API keys and the list of what they did</li>
      <li>your password, passkeys, authenticator app and OpenID links</li>
    </ul>
    <p>
      Every browser, device, script and agent loses access at once. Copies that other browsers and
      extensions hold stay there until you sign out in them or remove them. Backups that this
      server's operator has made stay too.
    </p>
    <p>
      <a class="button" href="/account/export">
        Save an export first
      </a>
    </p>
    <form method="post" action="/account/delete" novalidate>
      <Field
        name="confirmation"
        label="Your e-mail address"
        hint={`Type ${context.who.account.email} to confirm.`}
        problems={problems}
        input={{ type: "email", autocomplete: "off" }}
      />
      <ProofField context={context} problems={problems} />
      <div class="actions">
        <button class="danger">Delete my account</button>
        <a href="/account/security">Cancel</a>
      </div>
    </form>
  </>
);

export const LeaveSection = () => (
  <section>
    <h2>Your data and your account</h2>
    <p>
      <a href="/account/export">Save everything in a file</a> or{" "}
      <a href="/account/delete">delete your account</a>.
    </p>
  </section>
);
