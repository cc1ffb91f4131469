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

/** `GET /sign-in`. Redirects to setup as long as nobody can sign in. */
export const getSignIn = async (ask: Ask): Promise<PageReply> => {
  const next = safeNext(ask.query.get("next"));
  if (ask.who) return seeOther(next);
  if (!(await canSignIn(ask.store))) return seeOther("/setup");
  return html(<SignInPage ask={ask} email="" next={next} problems={NO_PROBLEMS} />);
};

/** `POST /sign-in`. The message is the same for a wrong password and an unknown e-mail. */
export const postSignIn = async (ask: Ask): Promise<PageReply> => {
  const typed = field(ask.form, "email");
  const next = safeNext(field(ask.form, "next"));
  const email = normaliseEmail(typed);
  const password = field(ask.form, "password");
  const problems: Problems = {
    ...(email === null ? { email: "Enter your full e-mail address." } : {}),
    ...(password === "" ? { password: "Enter your password." } : {}),
  };
  const fitting =
    email === null || password === ""
      ? null
      : await checkPassword(ask, email, password).catch(orWait);
  if (fitting instanceof Refusal) return showAgain(ask, typed, next, fitting);
  const signedIn = fitting && (await signInByPassword(ask, fitting, next));
  if (signedIn) return signedIn;
  const wrong = { "": "Wrong e-mail address or password.", ...problems };
  const shown = !isEmpty(problems) ? problems : wrong;
  return html(<SignInPage ask={ask} email={typed} next={next} problems={shown} />, { status: 422 });
};

/** They have to wait. Shows the form again, filled in for when they may retry. */
const showAgain = (ask: Ask, email: string, next: string, refusal: Refusal): PageReply =>
  html(<SignInPage ask={ask} email={email} next={next} problems={{ "": refusal.message }} />, {
    status: statusOf(refusal),
    headers: refusal.headers,
  });

/** `POST /sign-out`: ends the browser session at once, and drops its cookie. */
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
      <summary>Forgot your password?</summary>
      <p>
        The person who runs this server can set a new one with this command:{" "}
        <code>docket account password YOUR-EMAIL</code>
      </p>
    </details>
  </Layout>
);
