import { CODE_LIFETIME } from "../../code.ts";
import { withdrawInvitation } from "../../db/invitations.ts";
import { issueInvitation } from "../../db/owner.ts";
import { issuerOf } from "../../door/origin.ts";
import { cryptoRandom } from "../../secret.ts";
import type { SignedInAsk } from "../ask.ts";
import { askAgain } from "../entry/again.tsx";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/time.tsx";

/** `POST /account/invitations`: makes a link and shows it, in this reply alone. */
export const postInvitation = async (ask: SignedInAsk): Promise<PageReply> => {
  const asked = await askAgain(ask, {
    title: "Make an invitation",
    about: "Whoever gets the link can make an account on this server.",
    action: "/account/invitations",
    button: "Make an invitation",
  });
  if (asked) return asked;
  const code = await issueInvitation(ask.store, ask.who.account.id, cryptoRandom, ask.now);
  return html(<InvitationPage ask={ask} code={code} />);
};

/** `POST /account/invitations/:id/withdraw`: its link is good for nothing any more. */
export const postWithdraw = async ({ store, who, pathId }: SignedInAsk): Promise<PageReply> => {
  await withdrawInvitation(store, who.account.id, pathId ?? "");
  return seeOther("/account/security?done=withdrawn");
};

const InvitationPage = ({ ask, code }: { readonly ask: SignedInAsk; readonly code: string }) => (
  <Layout title="Your invitation" account={ask.who.account} at="/account/security">
    <div class="secret">
      <p>Copy it now, and give it to one person: it is shown this once, and kept nowhere.</p>
      <p>
        <code class="copy">{`${issuerOf(ask.origin, ask.service.settings)}/invitation#${code}`}</code>
      </p>
    </div>
    <p>
      It makes one account, until <Time at={ask.now + CODE_LIFETIME.invitation} />.
    </p>
    <p>
      <a href="/account/security">Back to Security</a>
    </p>
  </Layout>
);
