import { turnOffAuthenticator, turnOnAuthenticator } from "../../db/people/authenticators.ts";
import { cryptoRandom, mintSecret } from "../../domain/base/secret.ts";
import { base32, mintTotpSecret, totpAddress, totpStepOf } from "../../domain/people/totp.ts";
import { networkOf } from "../../server/checks/request.ts";
import { askAgain } from "../entry/again.tsx";
import { needsProof, NO_CODE } from "../entry/proof.ts";
import { noteChange, setCookie, type SignedInContext } from "../shared/page.ts";
import { field, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Field } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { showCodes } from "./codes.tsx";
import { encodeQR } from "qr";

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

/** Light modules around the code, without which readers do not find it (ISO/IEC 18004, 6.3.8). */
const MARGIN = 4;

/** A QR code: dark on light in a dark scheme too, as readers expect. */
const QrCode = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: MARGIN });
  const dark = rows.flatMap((row, y) => row.flatMap((is, x) => (is ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
};

/** `POST /account/authenticator/remove`: from now on the password alone signs in. */
export const postTurnOff = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who, now } = context;
  if (!who.needsCode) return seeOther("/account/security");
  const asked = await askAgain(context, {
    title: "Turn the second factor off",
    about:
      "The second factor is still on. Once you turn it off, your password alone signs you in, and your recovery codes no longer work.",
    action: "/account/authenticator/remove",
    button: "Turn off",
  });
  if (asked) return asked;
  const wasOn = await turnOffAuthenticator(store, who.account.id, who.browserSession.id, now);
  if (wasOn) noteChange(context, "the second factor was turned off");
  return seeOther("/account/security?done=code-off");
};
