import { normaliseEmail } from "../../account.ts";
import { canSignIn } from "../../db/owner.ts";
import { endVisit } from "../../db/endings.ts";
import { statusOf } from "../../door/refusals.ts";
import { Refusal } from "../../refusal.ts";
import type { Ask } from "../ask.ts";
import { dropCookie } from "../cookies.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { OpenIdLink } from "../openid/parts.tsx";
import { PasskeyButton } from "../passkeys/parts.tsx";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { EmailField, FormProblem, PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { signInByPassword } from "./arrival.ts";
import { safeNext } from "./next.ts";
import { checkPassword, orWait } from "./proof.ts";

/** `GET /sign-in`. Before anyone can sign in, the way leads to the set-up. */
export const getSignIn = async (ask: Ask): Promise<PageReply> => {
  const next = safeNext(ask.query.get("next"));
  if (ask.who) return seeOther(next);
  if (!(await canSignIn(ask.store))) return seeOther("/setup");
  return html(<SignInPage ask={ask} email="" next={next} problems={NO_PROBLEMS} />);
};

/** `POST /sign-in`. The text is the same for a wrong password and an unknown e-mail. */
export const postSignIn = async (ask: Ask): Promise<PageReply> => {
  const typed = field(ask.form, "email");
  const next = safeNext(field(ask.form, "next"));
  const email = normaliseEmail(typed);
  const password = field(ask.form, "password");
  const problems: Problems = {
    ...(email === null ? { email: "Type your whole e-mail address." } : {}),
    ...(password === "" ? { password: "Type your password." } : {}),
  };
  const fitting =
    email === null || password === ""
      ? null
      : await checkPassword(ask, email, password).catch(orWait);
  if (fitting instanceof Refusal) return showAgain(ask, typed, next, fitting);
  const signedIn = fitting && (await signInByPassword(ask, fitting, next));
  if (signedIn) return signedIn;
  const wrong = { "": "The e-mail or the password is wrong.", ...problems };
  const shown = !isEmpty(problems) ? problems : wrong;
  return html(<SignInPage ask={ask} email={typed} next={next} problems={shown} />, { status: 422 });
};

/** They have to wait: the form stands ready for when they may. */
const showAgain = (ask: Ask, email: string, next: string, refusal: Refusal): PageReply =>
  html(<SignInPage ask={ask} email={email} next={next} problems={{ "": refusal.message }} />, {
    status: statusOf(refusal),
    headers: refusal.headers,
  });

/** `POST /sign-out`: the visit ends here and now, and its cookie goes. */
export const postSignOut = async (ask: Ask): Promise<PageReply> => {
  if (ask.who) await endVisit(ask.store, ask.who.account.id, ask.who.visit.id, ask.now);
  return seeOther("/sign-in?next=%2Faccount", [dropCookie(ask.origin, "docket")]);
};

type SignInProps = {
  readonly ask: Ask;
  readonly email: string;
  readonly next: string;
  readonly problems: Problems;
};

const SignInPage = ({ ask, email, next, problems }: SignInProps) => (
  <Layout title="Sign in">
    <form method="post" action="/sign-in" novalidate>
      <FormProblem problems={problems} />
      <input type="hidden" name="next" value={next} />
      <EmailField value={email} problems={problems} />
      <PasswordField problems={problems} />
      <button class="main">Sign in</button>
    </form>
    <section aria-label="Other ways to sign in">
      <OpenIdLink ask={ask} path="/sign-in/openid" next={next} verb="Sign in with" />
      <PasskeyButton
        ask={ask}
        path="/sign-in"
        action="/sign-in/passkey"
        next={next}
        label="Sign in with a passkey"
      />
    </section>
    <details>
      <summary>Forgotten your password?</summary>
      <p>
        Whoever runs this server can set a new one, on the machine where it runs:{" "}
        <code>docket account password YOUR-EMAIL</code>
      </p>
    </details>
  </Layout>
);
