import { type AuthorizationRequest, parametersOf } from "../../domain/people/oauth.ts";
import { extensionIdOf, isOwnExtension } from "../../domain/people/identity.ts";
import { hasProvedFor } from "../entry/signed-in-for.ts";
import type { SignedInContext } from "../shared/page.ts";
import type { Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { CodeField, Field, PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Decision } from "./decision.tsx";

type Consent = {
  readonly own: SignedInContext;
  readonly request: AuthorizationRequest;
  /** Whether the account lets this extension in without its password. */
  readonly trusted: boolean;
  /** The name as it was typed or is suggested. */
  readonly deviceName: string;
  readonly problems: Problems;
};

/**
 * The page on which a person lets an extension in, or refuses. Its form may redirect to the extension. It is 200 with
 * problems too: see `statusOnTheWay`.
 */
export const consentReply = (consent: Consent): PageReply =>
  html(<ConsentPage {...consent} />, {
    formAction: new URL(consent.request.redirectUri).origin,
  });

const ConsentPage = ({ own, request, trusted, deviceName, problems }: Consent) => (
  <Layout title="Sign in the extension">
    {isOwnExtension(request.redirectUri) ? (
      <p>
        The Docket extension in this browser wants to sign in to the account of{" "}
        <strong>{own.who.account.email}</strong>.
      </p>
    ) : (
      <p>
        The extension <ExtensionName redirectUri={request.redirectUri} /> wants to sign in to the
        account of <strong>{own.who.account.email}</strong>. Your browser then returns to it at{" "}
        <code>{request.redirectUri}</code>
      </p>
    )}
    <p>
      The extension can then read, change and delete all tasks, tabs, notes and folders of that
      account, and keeps this browser in sync with them, until you sign it out under Devices.
    </p>
    <Decision parameters={parametersOf(request)} problems={problems}>
      <Field
        name="device_name"
        label="Name of this device"
        hint="How the device appears in your list of devices."
        problems={problems}
        input={{ value: deviceName, autocomplete: "off" }}
      />
      {trusted ? null : <FirstTime own={own} request={request} problems={problems} />}
    </Decision>
    <p class="quiet-text">
      To use another account, cancel, sign out of <a href="/account">your account</a>, and start
      again from the extension.
    </p>
  </Layout>
);

/**
 * Shows another extension by its id, because it could choose a name that looks like that of another. One that is
 * listed in the settings is shown by its host.
 */
const ExtensionName = ({ redirectUri }: { readonly redirectUri: string }) => {
  const id = extensionIdOf(redirectUri);
  return id === null ? (
    <>
      at <code>{new URL(redirectUri).host}</code>
    </>
  ) : (
    <>
      with the ID <code>{id}</code>
    </>
  );
};

const FirstTime = ({ own, request, problems }: Pick<Consent, "own" | "problems" | "request">) => (
  <>
    <p class="notice">
      You have not allowed this extension before. Continue only if you started this sign-in
      yourself.
    </p>
    {!hasProvedFor(own, request) && (
      <>
        <PasswordField label="Confirm with your password" problems={problems} />
        {own.who.needsCode && <CodeField problems={problems} />}
        {own.who.browserSession.method !== "password" && (
          <p class="hint">
            No password? Create a pairing code under <a href="/account/devices">Devices</a>, and
            enter it in the extension.
          </p>
        )}
      </>
    )}
  </>
);
