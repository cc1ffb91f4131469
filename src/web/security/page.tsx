import type { SignedInContext } from "../shared/page.ts";
import { field, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { CodeField, Notice, NewPasswordField, PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { AuthenticatorSection } from "./authenticator.tsx";
import { LeaveSection } from "./delete.tsx";
import { EmailSection } from "./email.tsx";
import { IdentitySection, RedirectSection } from "./identities.tsx";
import { type Holdings, readHoldings } from "./holdings.ts";
import { PasskeySection } from "./passkeys.tsx";
import { BrowserSessionSection } from "./browser-sessions.tsx";

/** `GET /account/security`: how the account's person signs in, and where they are signed in. */
export const getSecurity = (context: SignedInContext): Promise<PageReply> =>
  showSecurity(context, NO_PROBLEMS);

/** The same page, with the problems of the form that changes the password. */
export const showSecurity = async (
  context: SignedInContext,
  problems: Problems,
): Promise<PageReply> => {
  const holdings = await readHoldings(context);
  const page = <SecurityPage context={context} problems={problems} holdings={holdings} />;
  return html(page, { status: problems === NO_PROBLEMS ? 200 : 422 });
};

/** What was just done, as the page reports it after the redirect. */
const DONE = new Map(
  Object.entries({
    password: "Your password is changed. All other browsers and all devices are signed out.",
    "password-and-keys":
      "Your password is changed. All other browsers and all devices are signed out, and your API keys are revoked.",
    "passkey-made": "The passkey is created. You can now sign in without your password.",
    "passkey-removed":
      "The passkey is removed. If someone else has it, sign out any browsers below that are not yours.",
    email: "Your e-mail address is changed. Sign in with the new one from now on.",
    "code-off":
      "The second factor is off. All other browsers are signed out. Your password alone now signs you in.",
    linked: "The identity is linked. You can now sign in with it.",
    unlinked:
      "The identity is unlinked. If someone else can use it, sign out any browsers below that are not yours.",
    ended: "That browser is signed out.",
    "ended-others": "All other browsers are signed out.",
    forgotten: "The extension is forgotten. It needs your password the next time it signs in.",
  }),
);

type PageProps = {
  readonly context: SignedInContext;
  readonly problems: Problems;
  readonly holdings: Holdings;
};

const SecurityPage = ({ context, problems, holdings }: PageProps) => {
  const done = DONE.get(context.query.get("done") ?? "");
  return (
    <Layout title="Security" account={context.who.account} at="/account/security">
      {done !== undefined && <Notice>{done}</Notice>}
      <EmailSection account={context.who.account} />
      <PasswordSection context={context} problems={problems} />
      <PasskeySection context={context} passkeys={holdings.passkeys} />
      <AuthenticatorSection authenticator={holdings.authenticator} />
      <IdentitySection context={context} identities={holdings.identities} />
      <BrowserSessionSection context={context} browserSessions={holdings.browserSessions} />
      <RedirectSection redirects={holdings.redirects} />
      <LeaveSection />
    </Layout>
  );
};

const PasswordSection = ({ context, problems }: Omit<PageProps, "holdings">) => (
  <section>
    <h2>Password</h2>
    <details open={problems !== NO_PROBLEMS}>
      <summary>Change your password</summary>
      <p>
        This signs out every other browser and every device, and withdraws unused invitations.
        Extensions need your password again. Passkeys, OpenID identities and the authenticator app
        stay.
      </p>
      <form method="post" action="/account/password" novalidate>
        {/* Tells password managers whose password it is. */}
        <input type="hidden" autocomplete="username" value={context.who.account.email} />
        <PasswordField name="current" label="Current password" problems={problems} />
        {context.who.needsCode && <CodeField problems={problems} />}
        <NewPasswordField problems={problems} />
        <div class="field">
          <label>
            <input
              type="checkbox"
              name="revoke_keys"
              value="yes"
              checked={field(context.form, "revoke_keys") !== ""}
            />
            Also revoke all my API keys. Scripts and agents then need new ones.
          </label>
        </div>
        <button class="main">Change password</button>
      </form>
    </details>
  </section>
);
