import type { PageContext, SignedInContext } from "../shared/page.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { checkCode, NO_CODE, proveAgain, proveNow, renew } from "./proof.ts";
import { cryptoRandom, mintSecret } from "../../domain/base/secret.ts";
import { networkOf } from "../../server/checks/request.ts";
import { CodeField, PasswordField } from "../ui/fields.tsx";
import { signIn, signInByPassword } from "./browser-sign-in.ts";
import type { Halfway } from "./halfway.ts";
import { safeNext, statusOnTheWay } from "./signed-in-for.ts";
import { letWait, waitingBrowser } from "./waiting.ts";
import { listIdentities } from "../../db/people/identities.ts";
import { listPasskeys } from "../../db/people/passkeys.ts";
import { OpenIdLink } from "../openid/faults.tsx";
import { PasskeyButton } from "../passkeys/parts.tsx";

/** Something that cannot be undone, as a form to send once more. */
export type ConfirmedAction = {
  readonly title: string;
  /** What will happen. */
  readonly about: string;
  readonly action: string;
  readonly button: string;
  /** The page it is on; Security if left out. */
  readonly back?: "/account/security" | "/account/server";
  readonly fields?: Readonly<Record<string, string>>;
};

/**
 * Makes sure that the person proved who they are within the last 10 minutes. Returns null if they may go on;
 * otherwise a page that asks for the password, and then does what they wanted to do.
 */
export const askAgain = async (
  context: SignedInContext,
  action: ConfirmedAction,
): Promise<PageReply | null> => {
  const problems = await proveAgain(context);
  if (isEmpty(problems)) return null;
  return html(<AgainPage context={context} action={action} problems={problems} />, { status: 422 });
};

type AgainProps = {
  readonly context: SignedInContext;
  readonly action: ConfirmedAction;
  readonly problems: Problems;
};

const AgainPage = ({ context, action, problems }: AgainProps) => {
  const { back = "/account/security" } = action;
  return (
    <Layout title={action.title} account={context.who.account} at={back}>
      <p>{action.about}</p>
      <form method="post" action={action.action} novalidate>
        {Object.entries(action.fields ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ProofField context={context} problems={problems} back={back} />
        <div class="actions">
          <button class="main">{action.button}</button>
          <a href={back}>Cancel</a>
        </div>
      </form>
    </Layout>
  );
};

/** Asks for the code that is missing, in this browser and within ten minutes. */
export const askForCode = (context: PageContext, halfway: Halfway): PageReply => {
  const { browser, cookies } = letWait(context);
  const ticket = mintSecret("page", cryptoRandom);
  context.service.halfway.put(`${browser} ${ticket}`, halfway, networkOf(context.address));
  return { ...showCode(ticket, halfway, NO_PROBLEMS), cookies };
};

/** `GET /sign-in/code`: the form has no address of its own. */
export const getCode = (): PageReply => seeOther("/sign-in");

/** `POST /sign-in/code`: signs in, or continues, with the code. */
export const postCode = async (context: PageContext): Promise<PageReply> => {
  const ticket = field(context.form, "ticket");
  const key = `${waitingBrowser(context) ?? ""} ${ticket}`;
  const halfway = context.service.halfway.find(key);
  if (!halfway) return seeOther("/sign-in?late=yes");
  const code = field(context.form, "code");
  const wrong = code.trim() === "" ? NO_CODE : await checkCode(context, halfway.account, code);
  if (wrong !== null) return showCode(ticket, halfway, { code: wrong });
  const arrived = context.service.halfway.take(key) ? await goOn(context, halfway) : null;
  return arrived ?? seeOther("/sign-in?late=yes");
};

/** Null if what was proved before no longer counts: the password has changed, or the browser was signed out. */
const goOn = async (
  context: PageContext,
  { account, first, next }: Halfway,
): Promise<PageReply | null> => {
  if (first.by === "password") return signInByPassword(context, first.fitting, true, next);
  if (first.by === "openid") return signIn(context, account.id, "openid", next, first.provenAt);
  const stays =
    context.who?.browserSession.id === first.browserSessionId &&
    (await renew(context, account.id, first.browserSessionId));
  return stays ? seeOther(next) : null;
};

const showCode = (ticket: string, { next }: Halfway, problems: Problems): PageReply =>
  html(
    <Layout title="Enter your code">
      <form method="post" action="/sign-in/code" novalidate>
        <input type="hidden" name="ticket" value={ticket} />
        <CodeField problems={problems} />
        <button class="main">Continue</button>
      </form>
      <section>
        <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Start again</a>
      </section>
      <details>
        <summary>Lost your app and your recovery codes?</summary>
        <p>
          The person who runs this server can turn the second factor off with this command:{" "}
          <code>docket account second-factor YOUR-EMAIL off</code>
        </p>
      </details>
    </Layout>,
    { status: problems === NO_PROBLEMS ? 200 : statusOnTheWay(next, 422) },
  );

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
