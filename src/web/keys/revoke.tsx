import type { ApiKey } from "../../apikey.ts";
import { readKey, revokeKey } from "../../db/keys.ts";
import type { SignedInAsk } from "../ask.ts";
import { proveAgain } from "../entry/proof.ts";
import { isEmpty, type Problems } from "../form.ts";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Shown } from "../ui/shown.tsx";
import { keyPath } from "./table.tsx";

/** `POST /account/keys/:id/revoke`: revokes the key at once. Asks for the password on a page of its own. */
export const postRevoke = async (ask: SignedInAsk): Promise<PageReply> => {
  const { id: accountId } = ask.who.account;
  const key = await readKey(ask.store, accountId, ask.pathId ?? "");
  const problems = await proveAgain(ask);
  if (!isEmpty(problems))
    return html(<RevokePage ask={ask} of={key} problems={problems} />, { status: 422 });
  await revokeKey(ask.store, accountId, key.id, ask.now);
  return seeOther(`/account/keys?revoked=${encodeURIComponent(key.id)}`);
};

type RevokeProps = {
  readonly ask: SignedInAsk;
  readonly of: ApiKey;
  readonly problems: Problems;
};

const RevokePage = ({ ask, of: key, problems }: RevokeProps) => (
  <Layout title="Revoke a key" account={ask.who.account} at="/account/keys">
    <p>
      “<Shown text={key.name} />” (<code>{key.hint}</code>) is not revoked yet. Once you revoke it,
      everything that uses it stops working. You cannot undo this.
    </p>
    <form method="post" action={keyPath(key.id, "revoke")} novalidate>
      <ProofField ask={ask} problems={problems} />
      <div class="actions">
        <button class="danger">Revoke key</button>
        <a href="/account/keys">Cancel</a>
      </div>
    </form>
  </Layout>
);
