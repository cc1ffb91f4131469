import { normaliseEmail } from "../../domain/people/account.ts";
import { canSignIn } from "../../db/people/owner.ts";
import { endBrowserSession } from "../../db/people/revocation.ts";
import { refused } from "../../server/refusals.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { PageContext } from "../shared/context.ts";
import { clearCookie } from "../shared/cookies.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { OpenIdLink } from "../openid/parts.tsx";
import { PasskeyButton } from "../passkeys/parts.tsx";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { EmailField, FormProblem, PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { signInByPassword } from "./arrival.ts";
import { safeNext } from "./next.ts";
import { checkPassword, orWait } from "./proof.ts";

/** `GET /sign-in`. Before anyone can sign in, the way leads to the set-up. */
export const getSignIn = async (context: PageContext): Promise<PageReply> => {
  const next = safeNext(context.query.get("next"));
  if (context.who) return seeOther(next);
  if (!(await canSignIn(context.store))) return seeOther("/setup");
  return html(<SignInPage context={context} email="" next={next} problems={NO_PROBLEMS} />);
};

/** `POST /sign-in`. The text is the same for a wrong password and an unknown e-mail. */
export const postSignIn = async (context: PageContext): Promise<PageReply> => {
  const typed = field(context.form, "email");
  const next = safeNext(field(context.form, "next"));
  const email = normaliseEmail(typed);
  const password = field(context.form, "password");
  const problems: Problems = {
    ...(email === null ? { email: "Type your whole e-mail address." } : {}),
    ...(password === "" ? { password: "Type your password." } : {}),
  };
  const fitting =
    email === null || password === ""
      ? null
      : await checkPassword(context, email, password).catch(orWait);
  if (fitting instanceof Refusal) return showAgain(context, typed, next, fitting);
  const signedIn = fitting && (await signInByPassword(context, fitting, next));
  if (signedIn) return signedIn;
  const wrong = { "": "The e-mail or the password is wrong.", ...problems };
  const shown = !isEmpty(problems) ? problems : wrong;
  return html(<SignInPage context={context} email={typed} next={next} problems={shown} />, {
    status: 422,
  });
};

/** They have to wait: the form stands ready for when they may. */
const showAgain = (
  context: PageContext,
  email: string,
  next: string,
  refusal: Refusal,
): PageReply => {
  const { status, message, headers } = refused(refusal);
  const problems = { "": message };
  return html(<SignInPage context={context} email={email} next={next} problems={problems} />, {
    status,
    headers,
  });
};

/** `POST /sign-out`: the browser session ends here and now, and its cookie goes. */
export const postSignOut = async (context: PageContext): Promise<PageReply> => {
  if (context.who)
    await endBrowserSession(
      context.store,
      context.who.account.id,
      context.who.browserSession.id,
      context.now,
    );
  return seeOther("/sign-in?next=%2Faccount", [clearCookie(context.origin, "docket")]);
};

type SignInProps = {
  readonly context: PageContext;
  readonly email: string;
  readonly next: string;
  readonly problems: Problems;
};

const SignInPage = ({ context, email, next, problems }: SignInProps) => (
  <Layout title="Sign in">
    <form method="post" action="/sign-in" novalidate>
      <FormProblem problems={problems} />
      <input type="hidden" name="next" value={next} />
      <EmailField value={email} problems={problems} />
      <PasswordField problems={problems} />
      <button class="main">Sign in</button>
    </form>
    <section aria-label="Other ways to sign in">
      <OpenIdLink context={context} path="/sign-in/openid" next={next} verb="Sign in with" />
      <PasskeyButton
        context={context}
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
