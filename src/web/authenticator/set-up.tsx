import { turnOnAuthenticator } from "../../db/people/authenticators.ts";
import { cryptoRandom, mintSecret } from "../../domain/base/secret.ts";
import { base32, mintTotpSecret, totpAddress, totpStepOf } from "../../domain/people/totp.ts";
import { networkOf } from "../../server/origin.ts";
import { askAgain } from "../entry/again.tsx";
import { NO_CODE, needsProof } from "../entry/proof.ts";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { setCookie } from "../shared/admission.ts";
import { field, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Field } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { showCodes } from "./codes.tsx";
import { QrCode } from "./qr.tsx";

/** `POST /account/authenticator/new`: shows a new secret, which counts once the app has shown a code for it. */
export const postNew = async (context: SignedInContext): Promise<PageReply> => {
  if (context.who.needsCode) return seeOther("/account/security");
  const asked = await askAgain(context, {
    title: "Set up an authenticator app",
    about: "You will need your phone, or a password manager that shows codes.",
    action: "/account/authenticator/new",
    button: "Continue",
  });
  if (asked) return asked;
  const ticket = mintSecret("page", cryptoRandom);
  const secret = mintTotpSecret(cryptoRandom);
  context.service.offered.put(keyOf(context, ticket), secret, networkOf(context.address));
  return showSecret(context, ticket, secret, NO_PROBLEMS);
};

const keyOf = ({ who }: SignedInContext, ticket: string): string =>
  `${who.browserSession.id} ${ticket}`;

/** `POST /account/authenticator`: turns the second factor on, and shows the recovery codes. */
export const postTurnOn = async (context: SignedInContext): Promise<PageReply> => {
  const { service, store, who, now } = context;
  const ticket = field(context.form, "ticket");
  const secret = service.offered.find(keyOf(context, ticket));
  if (!secret || who.needsCode) return seeOther("/account/security");
  if (needsProof(context)) return seeOther("/account/confirm?next=%2Faccount%2Fsecurity");
  const typed = field(context.form, "code");
  const step = totpStepOf(secret, typed, now);
  if (step === null) return showSecret(context, ticket, secret, { code: problemOf(typed) });
  service.offered.take(keyOf(context, ticket));
  const { account, browserSession } = who;
  const made = { secret, step };
  const done = await turnOnAuthenticator(
    store,
    account.id,
    browserSession.id,
    made,
    cryptoRandom,
    now,
  );
  if (done === null) return seeOther("/account/security");
  noteChange(context, "the second factor was turned on");
  context.cookies.push(setCookie(context.origin, "docket", done.cookie));
  return showCodes(
    context,
    "The second factor is on. All other browsers are signed out.",
    done.codes,
  );
};

const problemOf = (typed: string): string =>
  typed.trim() === ""
    ? NO_CODE
    : "Wrong code. Check that the clock of your phone is right, and enter the code that the app shows now.";

const showSecret = (
  context: SignedInContext,
  ticket: string,
  secret: Uint8Array,
  problems: Problems,
): PageReply => {
  const page = <SecretPage context={context} ticket={ticket} secret={secret} problems={problems} />;
  return html(page, { status: problems === NO_PROBLEMS ? 200 : 422 });
};

type SecretProps = {
  readonly context: SignedInContext;
  readonly ticket: string;
  readonly secret: Uint8Array;
  readonly problems: Problems;
};

const SecretPage = ({ context, ticket, secret, problems }: SecretProps) => {
  const { account } = context.who;
  const address = totpAddress(secret, account.email);
  return (
    <Layout title="Set up an authenticator app" account={account} at="/account/security">
      <p>Scan this with your authenticator app. Docket shows it only now.</p>
      <div class="secret">
        <QrCode text={address} label="QR code of the secret below" />
        <p>Or enter this secret in the app:</p>
        <p>
          <code class="copy">{base32(secret)}</code>
        </p>
        <p>
          <a href={address}>Open it in an app on this device</a>
        </p>
      </div>
      <form method="post" action="/account/authenticator" novalidate>
        <input type="hidden" name="ticket" value={ticket} />
        <Field
          name="code"
          label="Code"
          hint="The six digits that the app shows now."
          problems={problems}
          input={{
            autocomplete: "one-time-code",
            inputMode: "numeric",
            class: "code",
          }}
        />
        <div class="actions">
          <button class="main">Turn on</button>
          <a href="/account/security">Cancel</a>
        </div>
      </form>
    </Layout>
  );
};
