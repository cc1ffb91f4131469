import type { Invitation } from "../../db/people/invitations.ts";
import { Time } from "../ui/time.tsx";
import { Rows } from "../ui/rows.tsx";

/** For the owner alone: links that let others make accounts. */
export const InvitationSection = ({
  invitations,
}: {
  readonly invitations: readonly Invitation[];
}) => (
  <section>
    <h2>Invitations</h2>
    <p>
      An invitation is a link by which one person can make an account of their own on this server.
      It is good for 7 days.
    </p>
    {invitations.length > 0 && <InvitationTable invitations={invitations} />}
    <form method="post" action="/account/invitations">
      <button>Make an invitation</button>
    </form>
  </section>
);

const InvitationTable = ({ invitations }: { readonly invitations: readonly Invitation[] }) => (
  <Rows caption="Not used yet" columns={["Made", "Good until", "Change"]}>
    {invitations.map(({ id, createdAt, expiresAt }) => (
      <tr key={id}>
        <th scope="row">
          <Time at={createdAt} />
        </th>
        <td data-label="Good until">
          <Time at={expiresAt} />
        </td>
        <td data-label="Change">
          <form method="post" action={`/account/invitations/${encodeURIComponent(id)}/withdraw`}>
            <button class="quiet">Withdraw</button>
          </form>
        </td>
      </tr>
    ))}
  </Rows>
);
