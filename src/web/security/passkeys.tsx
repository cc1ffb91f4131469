import { browserName } from "../../domain/people/session.ts";
import { MAX_PASSKEYS, type Passkey, passkeyHost } from "../../domain/people/passkey.ts";
import type { SignedInContext } from "../shared/page.ts";
import { needsProof } from "../entry/proof.ts";
import { NO_PROBLEMS } from "../shared/form.ts";
import { removePath } from "../passkeys/own.ts";
import { PasskeyScript, PasskeysElsewhere } from "../passkeys/parts.tsx";
import { passkeyAddress } from "../passkeys/ceremony.ts";
import { Field } from "../ui/fields.tsx";
import { Rows, Shown, Time, TimeOr } from "../ui/parts.tsx";

type SectionProps = { readonly context: SignedInContext; readonly passkeys: readonly Passkey[] };

/** The account's passkeys, and how to create another. */
export const PasskeySection = ({ context, passkeys }: SectionProps) => (
  <section>
    <h2>Passkeys</h2>
    <p>
      A passkey signs you in with your fingerprint, face or PIN, through your device or your
      password manager. It cannot be phished.
    </p>
    {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} />}
    {passkeys.length < MAX_PASSKEYS && <MakeOne context={context} />}
  </section>
);

const MakeOne = ({ context }: { readonly context: SignedInContext }) => {
  const path = "/account/security";
  if (passkeyHost(context.origin) !== null) return <NewPasskey context={context} />;
  return passkeyAddress(context, path) === null ? (
    <p class="hint">
      Browsers create passkeys only over https and for a host name, so they cannot create one at
      this address. The person who runs this server can set up both.
    </p>
  ) : (
    <PasskeysElsewhere context={context} path={path} />
  );
};

const NewPasskey = ({ context }: { readonly context: SignedInContext }) =>
  needsProof(context) ? (
    <p>
      <a class="button" href="/account/confirm?next=%2Faccount%2Fsecurity">
        Confirm that it is you to create a passkey
      </a>
    </p>
  ) : (
    <>
      <div
        hidden
        data-passkey="make"
        data-options="/account/passkeys/options"
        data-action="/account/passkeys"
      >
        <h3>New passkey</h3>
        <Field
          name="name"
          label="Name"
          hint="How the passkey appears in this list."
          problems={NO_PROBLEMS}
          input={{ value: browserName(context.client), autocomplete: "off" }}
        />
        <button type="button">Create a passkey</button>
        <PasskeyScript />
      </div>
      <p class="hint" data-no-passkey>
        To create a passkey, you need JavaScript and a browser that supports passkeys.
      </p>
    </>
  );

const PasskeyTable = ({ passkeys }: { readonly passkeys: readonly Passkey[] }) => (
  <Rows caption="Your passkeys" columns={["Name", "Works at", "Created", "Last used", "Actions"]}>
    {passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => (
      <tr key={id}>
        <th scope="row">
          <Shown text={name} />
        </th>
        <td data-label="Works at">{host}</td>
        <td data-label="Created">
          <Time at={createdAt} />
        </td>
        <td data-label="Last used">
          <TimeOr at={lastUsedAt} none="never" />
        </td>
        <td data-label="Actions">
          <form
            method="post"
            action={removePath(id)}
            data-confirm={`Remove the passkey “${name}”?`}
          >
            <button class="danger" aria-label={`Remove ${name}`}>
              Remove
            </button>
          </form>
        </td>
      </tr>
    ))}
  </Rows>
);
