import type { ApiKey } from "../../domain/people/api-key.ts";
import { readKey, revokeKey } from "../../db/people/api-keys.ts";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { proveAgain } from "../entry/proof.ts";
import { isEmpty, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { Shown } from "../ui/parts.tsx";
import { keyPath } from "./table.tsx";

/** `POST /account/keys/:id/revoke`: revokes the key at once. Asks for the password on a page of its own. */
export const postRevoke = async (context: SignedInContext): Promise<PageReply> => {
  const { id: accountId } = context.who.account;
  const id = context.pathId ?? "";
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) {
    const key = await readKey(context.store, accountId, id);
    return html(<RevokePage context={context} of={key} problems={problems} />, { status: 422 });
  }
  await revokeKey(context.store, accountId, id, context.now);
  noteChange(context, "an API key was revoked");
  return seeOther(`/account/keys?revoked=${encodeURIComponent(id)}`);
};

type RevokeProps = {
  readonly context: SignedInContext;
  readonly of: ApiKey;
  readonly problems: Problems;
};

const RevokePage = ({ context, of: key, problems }: RevokeProps) => (
  <Layout title="Revoke a key" account={context.who.account} at="/account/keys">
    <p>
      “<Shown text={key.name} />” (<code>{key.hint}</code>) is not revoked yet. Once you revoke it,
      everything that uses it stops working. You cannot undo this.
    </p>
    <form method="post" action={keyPath(key.id, "revoke")} novalidate>
      <ProofField context={context} problems={problems} />
      <div class="actions">
        <button class="danger">Revoke key</button>
        <a href="/account/keys">Cancel</a>
      </div>
    </form>
  </Layout>
);
