import { replaceRecoveryCodes } from "../../db/people/authenticators.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import { askAgain } from "../entry/again.tsx";
import { noteChange, type SignedInContext } from "../shared/page.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";

/** `POST /account/authenticator/codes`: ten new recovery codes. The old ones no longer work. */
export const postCodes = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who, now } = context;
  if (!who.needsCode) return seeOther("/account/security");
  const asked = await askAgain(context, {
    title: "Create new recovery codes",
    about: "Your old recovery codes stop working once you create new ones.",
    action: "/account/authenticator/codes",
    button: "Create new codes",
  });
  if (asked) return asked;
  const codes = await replaceRecoveryCodes(store, who.account.id, cryptoRandom, now);
  if (codes === null) return seeOther("/account/security");
  noteChange(context, "recovery codes were replaced");
  return showCodes(context, "Your old recovery codes no longer work.", codes);
};

/** The only page that shows recovery codes: the reply to the form that created them. */
export const showCodes = (
  { who }: SignedInContext,
  done: string,
  codes: readonly string[],
): PageReply =>
  html(
    <Layout title="Your recovery codes" account={who.account} at="/account/security">
      <Notice>{done}</Notice>
      <p>
        Without your app, each of these codes signs you in once, together with your password. Keep
        them where you do not keep your password: print them, or store them in a safe place. Docket
        shows them only now and keeps only their hashes.
      </p>
      <div class="secret">
        <pre class="copy">{codes.join("\n")}</pre>
      </div>
      <p>
        <a class="button" href="/account/security">
          I have saved them
        </a>
      </p>
    </Layout>,
  );
