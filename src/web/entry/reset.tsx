import { readReset, resetPassword } from "../../db/people/resets.ts";
import { passwordProblem } from "../../domain/people/password.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { PageContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Field, FormProblem, NewPasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { orWait } from "./proof.ts";

/** `GET /reset`: the form for a new password, to which the owner's link leads. */
export const getReset = (context: PageContext): PageReply => showForm(context, NO_PROBLEMS);

/** `POST /reset`: sets it. The person then signs in with it, and with their second factor if they have one. */
export const postNewPassword = async (context: PageContext): Promise<PageReply> => {
  const { form, store, service, address, now } = context;
  const [code, password] = [field(form, "code"), field(form, "password")];
  if (code.trim() === "") return showForm(context, { code: "Enter the code." });
  // Before the password is hashed: a stranger without a code must not be able to keep the server busy.
  const email = await readReset(store, code, now).catch(orRefusal);
  if (email instanceof Refusal) return showForm(context, { code: email.message });
  const wrong = passwordProblem(password, email);
  if (wrong !== null) return showForm(context, { password: wrong });
  const hash = await service.hasher.hash(password).catch(orWait);
  if (hash instanceof Refusal) return showForm(context, { "": hash.message });
  const account = await resetPassword(store, code, hash, now).catch(orRefusal);
  if (account instanceof Refusal) return showForm(context, { code: account.message });
  service.log.info("a password was reset", { address, account: account.email });
  return html(
    <Layout title="Your password is changed">
      <p>
        The new password is that of <b>{account.email}</b>. All browsers and devices of this account
        are signed out.
      </p>
      <p>
        <a class="button main" href="/sign-in?next=%2Ftasks">
          Sign in
        </a>
      </p>
    </Layout>,
  );
};

const orRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal && error.reason === "invalid") return error;
  throw error;
};

const showForm = ({ form }: PageContext, problems: Problems): PageReply =>
  html(
    <Layout title="Choose a new password">
      <p>The owner of this server made this link for you, because you cannot sign in any more.</p>
      <form method="post" action="/reset" novalidate>
        <FormProblem problems={problems} />
        <Field
          name="code"
          label="Code"
          hint="The code is part of your link, which fills it in for you."
          problems={problems}
          input={{
            value: field(form, "code"),
            autocomplete: "off",
            spellcheck: false,
            class: "code",
            // Our script fills this in from the link's fragment, which no server and no log sees.
            "data-fragment": "",
          }}
        />
        <NewPasswordField problems={problems} />
        <button class="main">Set the password</button>
      </form>
    </Layout>,
    { status: isEmpty(problems) ? 200 : 422 },
  );
