import type { SignedInContext } from "../shared/context.ts";
import { needsProof } from "../entry/proof.ts";
import type { Problems } from "../shared/form.ts";
import { sectionOf } from "../shared/section.ts";
import { PasswordField } from "./fields.tsx";

type ProofProps = {
  readonly context: SignedInContext;
  readonly problems: Problems;
  /** The page to begin anew from, for those who prove it otherwise; the page itself if it can be asked for. */
  readonly back?: string;
};

/** The password again, where the last proof is older than 10 minutes. */
export const ProofField = ({ context, problems, back = pageOf(context) }: ProofProps) =>
  needsProof(context) ? (
    <>
      <PasswordField label="Your password, once more" problems={problems} />
      {hasOtherWay(context) && (
        <p class="hint">
          Without it: <a href={`/account/confirm?next=${encodeURIComponent(back)}`}>prove it</a> by
          what you signed in with, and come back here.
        </p>
      )}
    </>
  ) : null;

const pageOf = ({ request }: SignedInContext): string => {
  const { pathname, search } = new URL(request.url);
  return request.method === "GET" ? pathname + search : sectionOf(pathname);
};

/** Whoever signed in without a password need not know one. */
const hasOtherWay = ({ who }: SignedInContext): boolean =>
  who.browserSession.method === "passkey" || who.browserSession.method === "openid";
