import { forgetRedirect, type Redirect } from "../../db/people/redirects.ts";
import type { SignedInContext } from "../shared/page.ts";
import { field } from "../shared/form.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { Rows } from "../ui/rows.tsx";

/** `POST /account/redirects/remove`: an extension at that address needs the password again. */
export const postForget = async ({ store, who, form }: SignedInContext): Promise<PageReply> => {
  await forgetRedirect(store, who.account.id, field(form, "uri"));
  return seeOther("/account/security?done=forgotten");
};

/**
 * Extensions that may sign in without asking for the password, in addition to those in the server's settings.
 */
export const RedirectSection = ({ redirects }: { readonly redirects: readonly Redirect[] }) =>
  redirects.length === 0 ? null : (
    <section>
      <h2>Extensions you have allowed</h2>
      <Rows
        caption="The addresses they return to after signing in"
        columns={["Address", "Since", "Actions"]}
      >
        {redirects.map(({ uri, createdAt }) => (
          <tr key={uri}>
            <th scope="row">
              <Shown text={uri} />
            </th>
            <td data-label="Since">
              <Time at={createdAt} />
            </td>
            <td data-label="Actions">
              <form method="post" action="/account/redirects/remove">
                <input type="hidden" name="uri" value={uri} />
                <button class="quiet" aria-label={`Forget ${uri}`}>
                  Forget
                </button>
              </form>
            </td>
          </tr>
        ))}
      </Rows>
    </section>
  );
