import { normaliseEmail } from "../../domain/people/account.ts";
import { checkCode, findOwner, joinByInvitation, setUpOwner } from "../../db/people/owner.ts";
import { passwordProblem } from "../../domain/people/password.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { PageContext } from "../shared/context.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { arrivalOf, welcome } from "./arrival.ts";
import { JoinPage } from "./join.tsx";
import { orWait } from "./proof.ts";

/** `GET /setup`: the form that makes the owner's account, until there is one. */
export const getSetUp = async (context: PageContext): Promise<PageReply> =>
  (await findOwner(context.store)) ? html(<DonePage />) : showForm(context, "setup", NO_PROBLEMS);

/** `GET /invitation`: the form that makes one more account. */
export const getInvitation = (context: PageContext): PageReply =>
  showForm(context, "invitation", NO_PROBLEMS);

export const postSetUp = async (context: PageContext): Promise<PageReply> =>
  (await findOwner(context.store)) ? html(<DonePage />, { status: 403 }) : join(context, "setup");

export const postInvitation = (context: PageContext): Promise<PageReply> =>
  join(context, "invitation");

type Kind = "invitation" | "setup";
const JOIN = { setup: setUpOwner, invitation: joinByInvitation };

/** Makes the account and signs its person in, or shows the form again with what is wrong. */
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
  const arrival = arrivalOf(context, "setup");
  const joined = await JOIN[kind](context.store, joining, arrival, cryptoRandom, context.now).catch(
    orRefusal,
  );
  if (joined instanceof Refusal)
    return showForm(context, kind, { [REFUSED[kind]]: joined.message });
  return welcome(context, joined.accountId, joined.secret, "/account");
};

/** The field that is refused behind a code that was good just now. A set-up takes any e-mail. */
const REFUSED: Readonly<Record<Kind, string>> = { setup: "code", invitation: "email" };

/** What is wrong with what was typed is for the form to show; others go on up. */
const orRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal && error.reason === "invalid") return error;
  throw error;
};

const problemsOf = (email: string | null, password: string, code: string): Problems => {
  const wrong = passwordProblem(password, email ?? "");
  return {
    ...(code.trim() === "" ? { code: "Type or paste the code." } : {}),
    ...(email === null ? { email: "Type an e-mail address as ann@example.org." } : {}),
    ...(wrong === null ? {} : { password: wrong }),
  };
};

const showForm = ({ form }: PageContext, kind: Kind, problems: Problems): PageReply => {
  const typed = { code: field(form, "code"), email: field(form, "email") };
  const status = isEmpty(problems) ? 200 : 422;
  return html(<JoinPage kind={kind} typed={typed} problems={problems} />, { status });
};

const DonePage = () => (
  <Layout title="Set up already">
    <p>This server has an owner, so there is nothing left to set up.</p>
    <p>
      <a href="/sign-in?next=%2Faccount">Sign in</a>
    </p>
    <p>
      If you own it and forgot the password, set a new one where it runs:{" "}
      <code>docket account password YOUR-EMAIL</code>
    </p>
  </Layout>
);
