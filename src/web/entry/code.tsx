import { cryptoRandom, mintSecret } from "../../domain/base/secret.ts";
import { networkOf } from "../../server/origin.ts";
import type { PageContext } from "../shared/page.ts";
import { field, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { CodeField } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { signIn, signInByPassword } from "./browser-sign-in.ts";
import type { Halfway } from "./halfway.ts";
import { statusOnTheWay } from "./next.ts";
import { checkCode, NO_CODE, renew } from "./proof.ts";
import { letWait, waitingBrowser } from "./waiting.ts";

/** Asks for the code that is missing, in this browser and within ten minutes. */
export const askForCode = (context: PageContext, halfway: Halfway): PageReply => {
  const { browser, cookies } = letWait(context);
  const ticket = mintSecret("page", cryptoRandom);
  context.service.halfway.put(`${browser} ${ticket}`, halfway, networkOf(context.address));
  return { ...showCode(ticket, halfway, NO_PROBLEMS), cookies };
};

/** `GET /sign-in/code`: the form has no address of its own. */
export const getCode = (): PageReply => seeOther("/sign-in");

/** `POST /sign-in/code`: signs in, or continues, with the code. */
export const postCode = async (context: PageContext): Promise<PageReply> => {
  const ticket = field(context.form, "ticket");
  const key = `${waitingBrowser(context) ?? ""} ${ticket}`;
  const halfway = context.service.halfway.find(key);
  if (!halfway) return seeOther("/sign-in?late=yes");
  const code = field(context.form, "code");
  const wrong = code.trim() === "" ? NO_CODE : await checkCode(context, halfway.account, code);
  if (wrong !== null) return showCode(ticket, halfway, { code: wrong });
  const arrived = context.service.halfway.take(key) ? await goOn(context, halfway) : null;
  return arrived ?? seeOther("/sign-in?late=yes");
};

/** Null if what was proved before no longer counts: the password has changed, or the browser was signed out. */
const goOn = async (
  context: PageContext,
  { account, first, next }: Halfway,
): Promise<PageReply | null> => {
  if (first.by === "password") return signInByPassword(context, first.fitting, true, next);
  if (first.by === "openid") return signIn(context, account.id, "openid", next, first.provenAt);
  const stays =
    context.who?.browserSession.id === first.browserSessionId &&
    (await renew(context, account.id, first.browserSessionId));
  return stays ? seeOther(next) : null;
};

const showCode = (ticket: string, { next }: Halfway, problems: Problems): PageReply =>
  html(
    <Layout title="Enter your code">
      <form method="post" action="/sign-in/code" novalidate>
        <input type="hidden" name="ticket" value={ticket} />
        <CodeField problems={problems} />
        <button class="main">Continue</button>
      </form>
      <section>
        <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Start again</a>
      </section>
      <details>
        <summary>Lost your app and your recovery codes?</summary>
        <p>
          The person who runs this server can turn the second factor off with this command:{" "}
          <code>docket account second-factor YOUR-EMAIL off</code>
        </p>
      </details>
    </Layout>,
    { status: problems === NO_PROBLEMS ? 200 : statusOnTheWay(next, 422) },
  );
