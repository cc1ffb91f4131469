import type { Identity } from "../../domain/people/identity.ts";
import type { SignedInContext } from "../shared/page.ts";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { Rows } from "../ui/rows.tsx";

type SectionProps = { readonly context: SignedInContext; readonly identities: readonly Identity[] };

/**
 * The account's identities at OpenID providers. Shown if a provider is configured or an identity is linked.
 */
export const IdentitySection = ({ context, identities }: SectionProps) => {
  const { openId } = context.service;
  return openId === null && identities.length === 0 ? null : (
    <section>
      <h2>OpenID</h2>
      {identities.length > 0 && <IdentityTable identities={identities} />}
      {openId && (
        <p>
          <a class="button" href="/account/openid/link">
            {`Link an identity from ${openId.name}`}
          </a>
        </p>
      )}
    </section>
  );
};

const IdentityTable = ({ identities }: { readonly identities: readonly Identity[] }) => (
  <Rows
    caption="Identities that you can sign in with"
    columns={["Name", "Provider", "Linked", "Last used", "Actions"]}
  >
    {identities.map(({ issuer, subject, label, createdAt, lastUsedAt }) => (
      <tr key={`${issuer} ${subject}`}>
        <th scope="row">
          <Shown text={label} />
        </th>
        <td data-label="Provider">{URL.parse(issuer)?.host ?? issuer}</td>
        <td data-label="Linked">
          <Time at={createdAt} />
        </td>
        <td data-label="Last used">
          <Time at={lastUsedAt} />
        </td>
        <td data-label="Actions">
          <form method="post" action="/account/openid/unlink" data-confirm={`Unlink “${label}”?`}>
            <input type="hidden" name="issuer" value={issuer} />
            <input type="hidden" name="subject" value={subject} />
            <button class="danger" aria-label={`Unlink ${label}`}>
              Unlink
            </button>
          </form>
        </td>
      </tr>
    ))}
  </Rows>
);
