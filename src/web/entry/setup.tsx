import { normaliseEmail } from "../../domain/people/account.ts";
import { checkCode, findOwner, joinByInvitation, setUpOwner } from "../../db/people/owner.ts";
import { passwordProblem } from "../../domain/people/password.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { PageContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { browserSignIn, welcome } from "./browser-sign-in.ts";
import { orWait } from "./proof.ts";
import { EmailField, Field, FormProblem, NewPasswordField } from "../ui/fields.tsx";

/** `GET /setup`: the form that creates the owner's account, until there is one. */
export const getSetUp = async (context: PageContext): Promise<PageReply> =>
  (await findOwner(context.store)) ? html(<DonePage />) : showForm(context, "setup", NO_PROBLEMS);

/** `GET /invitation`: the form that creates another account. */
export const getInvitation = (context: PageContext): PageReply =>
  showForm(context, "invitation", NO_PROBLEMS);

export const postSetUp = async (context: PageContext): Promise<PageReply> =>
  (await findOwner(context.store)) ? html(<DonePage />, { status: 403 }) : join(context, "setup");

export const postInvitation = (context: PageContext): Promise<PageReply> =>
  join(context, "invitation");

type Kind = "invitation" | "setup";
const JOIN = { setup: setUpOwner, invitation: joinByInvitation };

/** Creates the account and signs its person in, or shows the form again with its problems. */
const join = async (context: PageContext, kind: Kind): Promise<PageReply> => {
  const email = normaliseEmail(field(context.form, "email"));
  const password = field(context.form, "password");
  const code = field(context.form, "code");
  const problems = problemsOf(email, password, code);
  if (email === null || !isEmpty(problems)) return showForm(context, kind, problems);
  const checked = await checkCode(context.store, kind, code, context.now).catch(orRefusal);
  if (checked) return showForm(context, kind, { code: checked.message });
  const hash = await context.service.hasher.hash(password).catch(orWait);
  if (hash instanceof Refusal) return showForm(context, kind, { "": hash.message });
  const joining = { code, email, passwordHash: hash, plan: context.service.settings.defaultPlan };
  const details = browserSignIn(context, "setup");
  const joined = await JOIN[kind](context.store, joining, details, cryptoRandom, context.now).catch(
    orRefusal,
  );
  if (joined instanceof Refusal) {
    if (joined.reason === "already_there") noteTaken(context, email);
    return showForm(context, kind, { [REFUSED[kind]]: joined.message });
  }
  return welcome(context, joined.accountId, joined.secret, "/tasks", kind);
};

/**
 * The field to blame if the account is refused even though the code was valid a moment ago. Setup accepts any
 * e-mail.
 */
const REFUSED: Readonly<Record<Kind, string>> = { setup: "code", invitation: "email" };

/** Tells the owner, in the log, what the page does not say. */
const noteTaken = ({ service, address }: PageContext, account: string): void =>
  service.log.warn("an invitation was used up by an address that has an account", {
    address,
    account,
  });

/** Returns a refusal of what was typed, for the form to show. Throws anything else on. */
const orRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal && ["already_there", "invalid"].includes(error.reason)) return error;
  throw error;
};

const problemsOf = (email: string | null, password: string, code: string): Problems => {
  const wrong = passwordProblem(password, email ?? "");
  return {
    ...(code.trim() === "" ? { code: "Enter the code." } : {}),
    ...(email === null ? { email: "Enter an e-mail address, such as ann@example.org." } : {}),
    ...(wrong === null ? {} : { password: wrong }),
  };
};

const showForm = ({ form }: PageContext, kind: Kind, problems: Problems): PageReply => {
  const typed = { code: field(form, "code"), email: field(form, "email") };
  const status = isEmpty(problems) ? 200 : 422;
  return html(<JoinPage kind={kind} typed={typed} problems={problems} />, { status });
};

const DonePage = () => (
  <Layout title="Already set up">
    <p>This server already has an owner. There is nothing left to set up.</p>
    <p>
      <a href="/sign-in?next=%2Faccount">Sign in</a>
    </p>
    <p>
      If you are the owner and forgot your password, set a new one by running this command on the
      server: <code>docket account password YOUR-EMAIL</code>
    </p>
  </Layout>
);

type JoinProps = {
  readonly kind: "invitation" | "setup";
  readonly typed: { readonly code: string; readonly email: string };
  readonly problems: Problems;
};

const WORDS = {
  setup: {
    title: "Set up Docket",
    about:
      "Your account will be the first one on this server. As its owner, you can invite other people.",
    code: "Setup code",
    where: "The server printed this code when it started. The link it printed fills it in for you.",
    button: "Create account",
  },
  invitation: {
    title: "Accept your invitation",
    about: "You have been invited to create an account on this server, to keep your own tasks in.",
    code: "Invitation code",
    where: "The code is part of your invitation link, which fills it in for you.",
    button: "Create account",
  },
};

/** The form that creates an account from a code: the owner's, or an invited person's. */
const JoinPage = ({ kind, typed, problems }: JoinProps) => {
  const words = WORDS[kind];
  return (
    <Layout title={words.title}>
      <p>{words.about}</p>
      <form method="post" action={`/${kind}`} novalidate>
        <FormProblem problems={problems} />
        <Field
          name="code"
          label={words.code}
          hint={words.where}
          problems={problems}
          input={{
            value: typed.code,
            autocomplete: "off",
            spellcheck: false,
            class: "code",
            // Our script fills this in from the link's fragment, which no server and no log sees.
            "data-fragment": "",
          }}
        />
        <EmailField value={typed.email} problems={problems} />
        <NewPasswordField problems={problems} />
        <button class="main">{words.button}</button>
      </form>
    </Layout>
  );
};
