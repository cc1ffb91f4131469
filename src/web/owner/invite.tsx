import { type Invitation, withdrawInvitation } from "../../db/people/invitations.ts";
import { CODE_LIFETIME } from "../../domain/people/code.ts";
import { issueInvitation } from "../../db/people/owner.ts";
import { issuerOf } from "../../server/checks/request.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { SignedInContext } from "../shared/page.ts";
import { askAgain } from "../entry/again.tsx";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Rows, Time } from "../ui/parts.tsx";

/** `POST /account/server/invitations`: creates a link and shows it, in this reply only. */
export const postInvite = async (context: SignedInContext): Promise<PageReply> => {
  const asked = await askAgain(context, {
    title: "Create an invitation",
    about: "Anyone who gets the link can create an account on this server.",
    action: "/account/server/invitations",
    back: "/account/server",
    button: "Create an invitation",
  });
  if (asked) return asked;
  const code = await issueInvitation(
    context.store,
    context.who.account.id,
    cryptoRandom,
    context.now,
  );
  return html(<InvitationPage context={context} code={code} />);
};

/** `POST /account/server/invitations/:id/withdraw`: its link no longer works. */
export const postWithdraw = async ({ store, who, pathId }: SignedInContext): Promise<PageReply> => {
  await withdrawInvitation(store, who.account.id, pathId ?? "");
  return seeOther("/account/server?done=withdrawn");
};

const InvitationPage = ({
  context,
  code,
}: {
  readonly context: SignedInContext;
  readonly code: string;
}) => (
  <Layout title="Your invitation" account={context.who.account} at="/account/server">
    <div class="secret">
      <p>
        Copy the link now and send it to one person. Docket shows it only once and does not store
        it.
      </p>
      <p>
        <code class="copy">{`${issuerOf(context.origin, context.service.settings)}/invitation#${code}`}</code>
      </p>
    </div>
    <p>
      It creates one account, and works until <Time at={context.now + CODE_LIFETIME.invitation} />.
    </p>
    <p>
      <a href="/account/server">Back to Server</a>
    </p>
  </Layout>
);

/** For the owner only: links that let other people create accounts. */
export const InvitationSection = ({
  invitations,
}: {
  readonly invitations: readonly Invitation[];
}) => (
  <section>
    <h2>Invitations</h2>
    <p>
      An invitation is a link that lets one person create an account on this server. It works for 7
      days.
    </p>
    {invitations.length > 0 && <InvitationTable invitations={invitations} />}
    <form method="post" action="/account/server/invitations">
      <button>Create an invitation</button>
    </form>
  </section>
);

const InvitationTable = ({ invitations }: { readonly invitations: readonly Invitation[] }) => (
  <Rows caption="Not used yet" columns={["Created", "Expires", "Actions"]}>
    {invitations.map(({ id, createdAt, expiresAt }) => (
      <tr key={id}>
        <th scope="row">
          <Time at={createdAt} />
        </th>
        <td data-label="Expires">
          <Time at={expiresAt} />
        </td>
        <td data-label="Actions">
          <form
            method="post"
            action={`/account/server/invitations/${encodeURIComponent(id)}/withdraw`}
          >
            <button class="quiet">Withdraw</button>
          </form>
        </td>
      </tr>
    ))}
  </Rows>
);
