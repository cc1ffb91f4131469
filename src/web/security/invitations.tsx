import type { Invitation } from "../../db/people/invitations.ts";
import { Time } from "../ui/time.tsx";
import { Rows } from "../ui/rows.tsx";

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
    <form method="post" action="/account/invitations">
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
          <form method="post" action={`/account/invitations/${encodeURIComponent(id)}/withdraw`}>
            <button class="quiet">Withdraw</button>
          </form>
        </td>
      </tr>
    ))}
  </Rows>
);
