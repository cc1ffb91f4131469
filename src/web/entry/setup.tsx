import { normaliseEmail } from "../../account.ts";
import { checkCode, findOwner, joinByInvitation, setUpOwner } from "../../db/owner.ts";
import { passwordProblem } from "../../password.ts";
import { Refusal } from "../../refusal.ts";
import { cryptoRandom } from "../../secret.ts";
import type { Ask } from "../ask.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { html, type PageReply } from "../reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { arrivalOf, welcome } from "./arrival.ts";
import { JoinPage } from "./join.tsx";
import { orWait } from "./proof.ts";

/** `GET /setup`: the form that makes the owner's account, until there is one. */
export const getSetUp = async (ask: Ask): Promise<PageReply> =>
  (await findOwner(ask.store)) ? html(<DonePage />) : showForm(ask, "setup", NO_PROBLEMS);

/** `GET /invitation`: the form that makes one more account. */
export const getInvitation = (ask: Ask): PageReply => showForm(ask, "invitation", NO_PROBLEMS);

export const postSetUp = async (ask: Ask): Promise<PageReply> =>
  (await findOwner(ask.store)) ? html(<DonePage />, { status: 403 }) : join(ask, "setup");

export const postInvitation = (ask: Ask): Promise<PageReply> => join(ask, "invitation");

type Kind = "invitation" | "setup";
const JOIN = { setup: setUpOwner, invitation: joinByInvitation };

/** Makes the account and signs its person in, or shows the form again with what is wrong. */
const join = async (ask: Ask, kind: Kind): Promise<PageReply> => {
  const email = normaliseEmail(field(ask.form, "email"));
  const password = field(ask.form, "password");
  const code = field(ask.form, "code");
  const problems = problemsOf(email, password, code);
  if (email === null || !isEmpty(problems)) return showForm(ask, kind, problems);
  const checked = await checkCode(ask.store, kind, code, ask.now).catch(orRefusal);
  if (checked) return showForm(ask, kind, { code: checked.message });
  const hash = await ask.service.hasher.hash(password).catch(orWait);
  if (hash instanceof Refusal) return showForm(ask, kind, { "": hash.message });
  const joining = { code, email, passwordHash: hash, plan: ask.service.settings.defaultPlan };
  const arrival = arrivalOf(ask, "setup");
  const joined = await JOIN[kind](ask.store, joining, arrival, cryptoRandom, ask.now).catch(
    orRefusal,
  );
  if (joined instanceof Refusal) return showForm(ask, kind, { [REFUSED[kind]]: joined.message });
  return welcome(ask, joined.accountId, joined.secret, "/account");
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

const showForm = ({ form }: Ask, kind: Kind, problems: Problems): PageReply => {
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
