import { sectionOf, type SignedInContext } from "../shared/page.ts";
import { needsProof } from "../entry/proof.ts";
import type { Problems } from "../shared/form.ts";
import { CodeField, PasswordField } from "./fields.tsx";

type ProofProps = {
  readonly context: SignedInContext;
  readonly problems: Problems;
  /**
   * Where people return to if they prove it another way; by default the current page, if it can be opened by
   * its address.
   */
  readonly back?: string;
};

/** Asks for the password again if the last proof is older than 10 minutes. */
export const ProofField = ({ context, problems, back = pageOf(context) }: ProofProps) =>
  needsProof(context) ? (
    <>
      <PasswordField label="Confirm with your password" problems={problems} />
      {context.who.needsCode && <CodeField problems={problems} />}
      {hasOtherWay(context) && (
        <p class="hint">
          No password?{" "}
          <a href={`/account/confirm?next=${encodeURIComponent(back)}`}>
            Confirm with a passkey or OpenID
          </a>
          , then continue here.
        </p>
      )}
    </>
  ) : null;

const pageOf = ({ request }: SignedInContext): string => {
  const { pathname, search } = new URL(request.url);
  return request.method === "GET" ? pathname + search : sectionOf(pathname);
};

/** People who sign in without a password may not know one. */
const hasOtherWay = ({ who }: SignedInContext): boolean =>
  who.browserSession.method === "passkey" || who.browserSession.method === "openid";
