import { normaliseEmail } from "../../domain/people/account.ts";
import { readAccount } from "../../db/people/accounts.ts";
import { hasAuthenticator, type VerifiedPassword } from "../../db/people/browser-sessions.ts";
import { canSignIn } from "../../db/people/owner.ts";
import { endBrowserSession } from "../../db/people/revocation.ts";
import { refused } from "../../server/respond.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { clearCookie, type PageContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { OpenIdLink } from "../openid/faults.tsx";
import { PasskeyButton } from "../passkeys/parts.tsx";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { EmailField, FormProblem, Notice, PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { signInByPassword } from "./browser-sign-in.ts";
import { askForCode } from "./again.tsx";
import { requestIn, safeNext, statusOnTheWay } from "./signed-in-for.ts";
import { checkPassword, orWait } from "./proof.ts";

/** `GET /sign-in`. Redirects to setup as long as nobody can sign in. */
export const getSignIn = async (context: PageContext): Promise<PageReply> => {
  const next = safeNext(context.query.get("next"));
  if (context.who) return seeOther(next);
  if (!(await canSignIn(context.store))) return seeOther("/setup");
  const late = context.query.get("late") === "yes";
  const problems = late
    ? { "": "That took too long, or something changed. Sign in again." }
    : NO_PROBLEMS;
  return html(<SignInPage context={context} email="" next={next} problems={problems} />);
};

/** `POST /sign-in`. The message is the same for a wrong password and an unknown e-mail. */
export const postSignIn = async (context: PageContext): Promise<PageReply> => {
  const typed = field(context.form, "email");
  const next = safeNext(field(context.form, "next"));
  const email = normaliseEmail(typed);
  const password = field(context.form, "password");
  const problems: Problems = {
    ...(email === null ? { email: "Enter your full e-mail address." } : {}),
    ...(password === "" ? { password: "Enter your password." } : {}),
  };
  const fitting =
    email === null || password === ""
      ? null
      : await checkPassword(context, email, password).catch(orWait);
  if (fitting instanceof Refusal) return showAgain(context, typed, next, fitting);
  const signedIn = fitting && (await goOn(context, fitting, next));
  if (signedIn) return signedIn;
  const wrong = { "": "Wrong e-mail address or password.", ...problems };
  const shown = !isEmpty(problems) ? problems : wrong;
  return html(<SignInPage context={context} email={typed} next={next} problems={shown} />, {
    status: statusOnTheWay(next, 422),
  });
};

/** Signs in, or asks for the code that the account needs beside its password. Null if the password just changed. */
const goOn = async (
  context: PageContext,
  fitting: VerifiedPassword,
  next: string,
): Promise<PageReply | null> => {
  const { store } = context;
  if (!(await hasAuthenticator(store.reader, fitting.accountId)))
    return signInByPassword(context, fitting, false, next);
  const account = await readAccount(store, fitting.accountId);
  return account && askForCode(context, { account, first: { by: "password", fitting }, next });
};

/** They have to wait. Shows the form again, filled in for when they may retry. */
const showAgain = (
  context: PageContext,
  email: string,
  next: string,
  refusal: Refusal,
): PageReply => {
  const { status, message, headers } = refused(refusal);
  const problems = { "": message };
  return html(<SignInPage context={context} email={email} next={next} problems={problems} />, {
    status: statusOnTheWay(next, status),
    headers,
  });
};

/** `POST /sign-out`: ends the browser session at once, and drops its cookie. */
export const postSignOut = async (context: PageContext): Promise<PageReply> => {
  if (context.who)
    await endBrowserSession(
      context.store,
      context.who.account.id,
      context.who.browserSession.id,
      context.now,
    );
  const left = seeOther("/sign-in", [clearCookie(context.origin, "docket")]);
  // The app has erased this account's copy of the tasks. Others who used this browser may have changes waiting in theirs.
  if (field(context.form, "erased") === "yes") return left;
  // Otherwise the browser erases the copy. Over plain http, except on this machine, it ignores this.
  return { ...left, headers: { ...left.headers, "clear-site-data": '"storage"' } };
};

type SignInProps = {
  readonly context: PageContext;
  readonly email: string;
  readonly next: string;
  readonly problems: Problems;
};

const SignInPage = ({ context, email, next, problems }: SignInProps) => (
  <Layout title="Sign in">
    {requestIn(next) !== null && (
      <Notice>
        A browser extension asks for access to your account. Once you have signed in, you decide
        whether to allow it.
      </Notice>
    )}
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
      <summary>Forgot your password?</summary>
      <p>
        The person who runs this server can set a new one with this command:{" "}
        <code>docket account password YOUR-EMAIL</code>
      </p>
    </details>
  </Layout>
);
