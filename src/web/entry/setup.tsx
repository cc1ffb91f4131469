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

/** `GET /setup`: the form that creates the owner's account, until there is one. */
export const getSetUp = async (ask: Ask): Promise<PageReply> =>
  (await findOwner(ask.store)) ? html(<DonePage />) : showForm(ask, "setup", NO_PROBLEMS);

/** `GET /invitation`: the form that creates another account. */
export const getInvitation = (ask: Ask): PageReply => showForm(ask, "invitation", NO_PROBLEMS);

export const postSetUp = async (ask: Ask): Promise<PageReply> =>
  (await findOwner(ask.store)) ? html(<DonePage />, { status: 403 }) : join(ask, "setup");

export const postInvitation = (ask: Ask): Promise<PageReply> => join(ask, "invitation");

type Kind = "invitation" | "setup";
const JOIN = { setup: setUpOwner, invitation: joinByInvitation };

/** Creates the account and signs its person in, or shows the form again with its problems. */
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

/**
 * The field to blame if the account is refused even though the code was valid a moment ago. Setup accepts any
 * e-mail.
 */
const REFUSED: Readonly<Record<Kind, string>> = { setup: "code", invitation: "email" };

/** Returns a refusal of what was typed, for the form to show. Throws anything else on. */
const orRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal && error.reason === "invalid") return error;
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

const showForm = ({ form }: Ask, kind: Kind, problems: Problems): PageReply => {
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
