import { forgetRedirect, type Redirect } from "../../db/people/redirects.ts";
import type { Identity } from "../../domain/people/identity.ts";
import type { SignedInContext } from "../shared/page.ts";
import { Rows, Shown, Time } from "../ui/parts.tsx";
import { field } from "../shared/form.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";

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

/** `POST /account/redirects/remove`: an extension at that address needs the password again. */
export const postForget = async ({ store, who, form }: SignedInContext): Promise<PageReply> => {
  await forgetRedirect(store, who.account.id, field(form, "uri"));
  return seeOther("/account/security?done=forgotten");
};

/**
 * Extensions that may sign in without asking for the password, in addition to those in the server's settings.
 */
export const RedirectSection = ({ redirects }: { readonly redirects: readonly Redirect[] }) =>
  redirects.length === 0 ? null : (
    <section>
      <h2>Extensions you have allowed</h2>
      <Rows
        caption="The addresses they return to after signing in"
        columns={["Address", "Since", "Actions"]}
      >
        {redirects.map(({ uri, createdAt }) => (
          <tr key={uri}>
            <th scope="row">
              <Shown text={uri} />
            </th>
            <td data-label="Since">
              <Time at={createdAt} />
            </td>
            <td data-label="Actions">
              <form method="post" action="/account/redirects/remove">
                <input type="hidden" name="uri" value={uri} />
                <button class="quiet" aria-label={`Forget ${uri}`}>
                  Forget
                </button>
              </form>
            </td>
          </tr>
        ))}
      </Rows>
    </section>
  );
