import { browserName } from "../../domain/people/user-agent.ts";
import { MAX_PASSKEYS, type Passkey, passkeyHost } from "../../domain/people/passkey.ts";
import type { SignedInContext } from "../shared/context.ts";
import { needsProof } from "../entry/proof.ts";
import { NO_PROBLEMS } from "../shared/form.ts";
import { removePath } from "../passkeys/own.ts";
import { PasskeyScript, PasskeysElsewhere } from "../passkeys/parts.tsx";
import { passkeyAddress } from "../passkeys/host.ts";
import { Field } from "../ui/fields.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time, TimeOr } from "../ui/time.tsx";
import { Rows } from "../ui/rows.tsx";

type SectionProps = { readonly context: SignedInContext; readonly passkeys: readonly Passkey[] };

/** The account's passkeys, and how to make one more. */
export const PasskeySection = ({ context, passkeys }: SectionProps) => (
  <section>
    <h2>Passkeys</h2>
    <p>
      A passkey signs you in with the fingerprint, face or PIN of a device or password manager of
      yours, and cannot be phished.
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
      Browsers make passkeys only over https and at a name, not at this address. Whoever runs this
      server can give it both.
    </p>
  ) : (
    <PasskeysElsewhere context={context} path={path} />
  );
};

const NewPasskey = ({ context }: { readonly context: SignedInContext }) =>
  needsProof(context) ? (
    <p>
      <a class="button" href="/account/confirm?next=%2Faccount%2Fsecurity">
        Prove that it is you, to make a passkey
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
          hint="By which you know it in this list."
          problems={NO_PROBLEMS}
          input={{ value: browserName(context.client), autocomplete: "off", maxLength: 100 }}
        />
        <button type="button">Make a passkey</button>
        <PasskeyScript />
      </div>
      <p class="hint" data-no-passkey>
        To make one, you need JavaScript, and a browser that knows passkeys.
      </p>
    </>
  );

const PasskeyTable = ({ passkeys }: { readonly passkeys: readonly Passkey[] }) => (
  <Rows caption="Your passkeys" columns={["Name", "Good for", "Made", "Last used", "Change"]}>
    {passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => (
      <tr key={id}>
        <th scope="row">
          <Shown text={name} />
        </th>
        <td data-label="Good for">{host}</td>
        <td data-label="Made">
          <Time at={createdAt} />
        </td>
        <td data-label="Last used">
          <TimeOr at={lastUsedAt} none="never" />
        </td>
        <td data-label="Change">
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
