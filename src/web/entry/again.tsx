import type { SignedInContext } from "../shared/context.ts";
import { isEmpty, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { proveAgain } from "./proof.ts";

/** What someone is about to do that cannot be taken back, as a form that is sent once more. */
export type Deed = {
  readonly title: string;
  /** What happens if it is done. */
  readonly about: string;
  readonly action: string;
  readonly button: string;
  readonly fields?: Readonly<Record<string, string>>;
};

/**
 * Sees to it that whoever sits there proved who they are within the last 10 minutes. Null lets them go on;
 * else the answer is a page that asks for the password, and then does what they were about to do.
 */
export const askAgain = async (context: SignedInContext, deed: Deed): Promise<PageReply | null> => {
  const problems = await proveAgain(context);
  if (isEmpty(problems)) return null;
  return html(<AgainPage context={context} deed={deed} problems={problems} />, { status: 422 });
};

type AgainProps = {
  readonly context: SignedInContext;
  readonly deed: Deed;
  readonly problems: Problems;
};

const AgainPage = ({ context, deed, problems }: AgainProps) => (
  <Layout title={deed.title} account={context.who.account} at="/account/security">
    <p>{deed.about}</p>
    <form method="post" action={deed.action} novalidate>
      {Object.entries(deed.fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ProofField context={context} problems={problems} back="/account/security" />
      <div class="actions">
        <button class="main">{deed.button}</button>
        <a href="/account/security">Leave it as it is</a>
      </div>
    </form>
  </Layout>
);
