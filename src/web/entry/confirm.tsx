import { listIdentities } from "../../db/identities.ts";
import { listPasskeys } from "../../db/passkeys.ts";
import type { SignedInAsk } from "../ask.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { OpenIdLink } from "../openid/parts.tsx";
import { PasskeyButton } from "../passkeys/parts.tsx";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { safeNext } from "./next.ts";
import { proveNow } from "./proof.ts";

/** `GET /account/confirm`: asks the person to prove again who they are. */
export const getConfirm = (ask: SignedInAsk): Promise<PageReply> =>
  showConfirm(ask, safeNext(ask.query.get("next")), NO_PROBLEMS);

/** `POST /account/confirm`: continues to the page that needs the proof. */
export const postConfirm = async (ask: SignedInAsk): Promise<PageReply> => {
  const next = safeNext(field(ask.form, "next"));
  const problems = await proveNow(ask);
  return isEmpty(problems) ? seeOther(next) : showConfirm(ask, next, problems);
};

const showConfirm = async (
  ask: SignedInAsk,
  next: string,
  problems: Problems,
): Promise<PageReply> => {
  const { account } = ask.who;
  const passkeys = await listPasskeys(ask.store, account.id);
  const identities = await listIdentities(ask.store, account.id);
  const issuer = ask.service.openId?.issuer.href;
  const page = (
    <ConfirmPage
      ask={ask}
      next={next}
      problems={problems}
      passkey={passkeys.length > 0}
      openId={identities.some((identity) => URL.parse(identity.issuer)?.href === issuer)}
    />
  );
  return html(page, { status: problems === NO_PROBLEMS ? 200 : 422 });
};

type ConfirmProps = {
  readonly ask: SignedInAsk;
  readonly next: string;
  readonly problems: Problems;
  /** Which ways to prove it, other than the password, the account has. */
  readonly passkey: boolean;
  readonly openId: boolean;
};

const ConfirmPage = ({ ask, next, problems, passkey, openId }: ConfirmProps) => (
  <Layout title="Confirm that it is you" account={ask.who.account}>
    <p>Before you continue, confirm that it is still you.</p>
    <form method="post" action="/account/confirm" novalidate>
      <input type="hidden" name="next" value={next} />
      <PasswordField problems={problems} />
      <button class="main">Continue</button>
    </form>
    {(passkey || openId) && <h2>Other ways to confirm</h2>}
    {passkey && (
      <PasskeyButton
        ask={ask}
        path="/account/confirm"
        action="/account/confirm/passkey"
        next={next}
        label="Use a passkey"
      />
    )}
    {openId && (
      <OpenIdLink ask={ask} path="/account/confirm/openid" next={next} verb="Sign in again with" />
    )}
  </Layout>
);
