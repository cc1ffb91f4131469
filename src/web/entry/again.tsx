import type { SignedInContext } from "../shared/page.ts";
import { isEmpty, type Problems } from "../shared/form.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { ProofField } from "../ui/proof.tsx";
import { proveAgain } from "./proof.ts";

/** Something that cannot be undone, as a form to send once more. */
export type ConfirmedAction = {
  readonly title: string;
  /** What will happen. */
  readonly about: string;
  readonly action: string;
  readonly button: string;
  readonly fields?: Readonly<Record<string, string>>;
};

/**
 * Makes sure that the person proved who they are within the last 10 minutes. Returns null if they may go on;
 * otherwise a page that asks for the password, and then does what they wanted to do.
 */
export const askAgain = async (
  context: SignedInContext,
  action: ConfirmedAction,
): Promise<PageReply | null> => {
  const problems = await proveAgain(context);
  if (isEmpty(problems)) return null;
  return html(<AgainPage context={context} action={action} problems={problems} />, { status: 422 });
};

type AgainProps = {
  readonly context: SignedInContext;
  readonly action: ConfirmedAction;
  readonly problems: Problems;
};

const AgainPage = ({ context, action, problems }: AgainProps) => (
  <Layout title={action.title} account={context.who.account} at="/account/security">
    <p>{action.about}</p>
    <form method="post" action={action.action} novalidate>
      {Object.entries(action.fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ProofField context={context} problems={problems} back="/account/security" />
      <div class="actions">
        <button class="main">{action.button}</button>
        <a href="/account/security">Cancel</a>
      </div>
    </form>
  </Layout>
);
