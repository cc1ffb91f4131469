import type { SignedInAsk } from "../ask.ts";
import { field, NO_PROBLEMS, type Problems } from "../form.ts";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { PasswordField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { safeNext } from "./next.ts";
import { proveNow } from "./proof.ts";

/** `GET /account/confirm`: asks whoever sits there to prove again who they are. */
export const getConfirm = (ask: SignedInAsk): PageReply =>
  html(<ConfirmPage ask={ask} next={safeNext(ask.query.get("next"))} problems={NO_PROBLEMS} />);

/** `POST /account/confirm`: leads on to what needs the proof. */
export const postConfirm = async (ask: SignedInAsk): Promise<PageReply> => {
  const next = safeNext(field(ask.form, "next"));
  const problems = await proveNow(ask);
  if (Object.keys(problems).length === 0) return seeOther(next);
  return html(<ConfirmPage ask={ask} next={next} problems={problems} />, { status: 422 });
};

type ConfirmProps = {
  readonly ask: SignedInAsk;
  readonly next: string;
  readonly problems: Problems;
};

const ConfirmPage = ({ ask, next, problems }: ConfirmProps) => (
  <Layout title="Is it still you?" account={ask.who.account}>
    <p>This cannot be taken back, so it asks once more who sits here.</p>
    <form method="post" action="/account/confirm" novalidate>
      <input type="hidden" name="next" value={next} />
      <PasswordField problems={problems} />
      <button class="main">Go on</button>
    </form>
  </Layout>
);
