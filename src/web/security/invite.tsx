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

/** `POST /account/invitations`: creates a link and shows it, in this reply only. */
export const postInvitation = async (ask: SignedInAsk): Promise<PageReply> => {
  const asked = await askAgain(ask, {
    title: "Create an invitation",
    about: "Anyone who gets the link can create an account on this server.",
    action: "/account/invitations",
    button: "Create an invitation",
  });
  if (asked) return asked;
  const code = await issueInvitation(ask.store, ask.who.account.id, cryptoRandom, ask.now);
  return html(<InvitationPage ask={ask} code={code} />);
};

/** `POST /account/invitations/:id/withdraw`: its link no longer works. */
export const postWithdraw = async ({ store, who, pathId }: SignedInAsk): Promise<PageReply> => {
  await withdrawInvitation(store, who.account.id, pathId ?? "");
  return seeOther("/account/security?done=withdrawn");
};

const InvitationPage = ({ ask, code }: { readonly ask: SignedInAsk; readonly code: string }) => (
  <Layout title="Your invitation" account={ask.who.account} at="/account/security">
    <div class="secret">
      <p>
        Copy the link now and send it to one person. Docket shows it only once and does not store
        it.
      </p>
      <p>
        <code class="copy">{`${issuerOf(ask.origin, ask.service.settings)}/invitation#${code}`}</code>
      </p>
    </div>
    <p>
      It creates one account, and works until <Time at={ask.now + CODE_LIFETIME.invitation} />.
    </p>
    <p>
      <a href="/account/security">Back to Security</a>
    </p>
  </Layout>
);
