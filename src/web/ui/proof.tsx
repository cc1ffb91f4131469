import type { SignedInAsk } from "../ask.ts";
import { needsProof } from "../entry/proof.ts";
import type { Problems } from "../form.ts";
import { sectionOf } from "../section.ts";
import { PasswordField } from "./fields.tsx";

type ProofProps = {
  readonly ask: SignedInAsk;
  readonly problems: Problems;
  /** The page to begin anew from, for those who prove it otherwise; the page itself if it can be asked for. */
  readonly back?: string;
};

/** The password again, where the last proof is older than 10 minutes. */
export const ProofField = ({ ask, problems, back = pageOf(ask) }: ProofProps) =>
  needsProof(ask) ? (
    <>
      <PasswordField label="Your password, once more" problems={problems} />
      {hasOtherWay(ask) && (
        <p class="hint">
          Without it: <a href={`/account/confirm?next=${encodeURIComponent(back)}`}>prove it</a> by
          what you signed in with, and come back here.
        </p>
      )}
    </>
  ) : null;

const pageOf = ({ request }: SignedInAsk): string => {
  const { pathname, search } = new URL(request.url);
  return request.method === "GET" ? pathname + search : sectionOf(pathname);
};

/** Whoever signed in without a password need not know one. */
const hasOtherWay = ({ who }: SignedInAsk): boolean =>
  who.visit.method === "passkey" || who.visit.method === "openid";
