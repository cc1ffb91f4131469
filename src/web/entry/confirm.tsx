import { listIdentities } from "../../db/people/identities.ts";
import { listPasskeys } from "../../db/people/passkeys.ts";
import type { SignedInContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { OpenIdLink } from "../openid/parts.tsx";
import { PasskeyButton } from "../passkeys/parts.tsx";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { CodeField, PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { safeNext } from "./next.ts";
import { proveNow } from "./proof.ts";

/** `GET /account/confirm`: asks the person to prove again who they are. */
export const getConfirm = (context: SignedInContext): Promise<PageReply> =>
  showConfirm(context, safeNext(context.query.get("next"), "/account"), NO_PROBLEMS);

/** `POST /account/confirm`: continues to the page that needs the proof. */
export const postConfirm = async (context: SignedInContext): Promise<PageReply> => {
  const next = safeNext(field(context.form, "next"), "/account");
  const problems = await proveNow(context);
  return isEmpty(problems) ? seeOther(next) : showConfirm(context, next, problems);
};

const showConfirm = async (
  context: SignedInContext,
  next: string,
  problems: Problems,
): Promise<PageReply> => {
  const { account } = context.who;
  const passkeys = await listPasskeys(context.store, account.id);
  const identities = await listIdentities(context.store, account.id);
  const issuer = context.service.openId?.issuer.href;
  const page = (
    <ConfirmPage
      context={context}
      next={next}
      problems={problems}
      passkey={passkeys.length > 0}
      openId={identities.some((identity) => URL.parse(identity.issuer)?.href === issuer)}
    />
  );
  return html(page, { status: problems === NO_PROBLEMS ? 200 : 422 });
};

type ConfirmProps = {
  readonly context: SignedInContext;
  readonly next: string;
  readonly problems: Problems;
  /** Which ways to prove it, other than the password, the account has. */
  readonly passkey: boolean;
  readonly openId: boolean;
};

const ConfirmPage = ({ context, next, problems, passkey, openId }: ConfirmProps) => (
  <Layout title="Confirm that it is you" account={context.who.account}>
    <p>Before you continue, confirm that it is still you.</p>
    <form method="post" action="/account/confirm" novalidate>
      <input type="hidden" name="next" value={next} />
      <PasswordField problems={problems} />
      {context.who.needsCode && <CodeField problems={problems} />}
      <button class="main">Continue</button>
    </form>
    {(passkey || openId) && <h2>Other ways to confirm</h2>}
    {passkey && (
      <PasskeyButton
        context={context}
        path="/account/confirm"
        action="/account/confirm/passkey"
        next={next}
        label="Use a passkey"
      />
    )}
    {openId && (
      <OpenIdLink
        context={context}
        path="/account/confirm/openid"
        next={next}
        verb="Sign in again with"
      />
    )}
  </Layout>
);
