import { openAppSession } from "../../db/people/sessions.ts";
import { deriveSecret } from "../../domain/base/secret.ts";
import { browserName } from "../../domain/people/session.ts";
import type { PageContext } from "../shared/page.ts";
import { readCookie } from "../shared/admission.ts";
import { type PageReply, scriptReply } from "../shared/reply.tsx";

/**
 * `POST /tasks/session`: the token with which the web app calls the API, and whose it is. The app keeps the token in
 * memory only. It is derived from the cookie, so that it ends with the browser session, and all windows share one
 * device. Other sites cannot ask: the request's origin is checked, and they could not read the reply. The reply also
 * says if a proxy in front of Docket asks for a password of its own, which agents and the extension do not have.
 */
export const postAppSession = async (context: PageContext): Promise<PageReply> => {
  const cookie = readCookie(context.request, context.origin, "docket");
  if (!context.who || cookie === null) return SIGNED_OUT;
  const { account, browserSession } = context.who;
  const token = deriveSecret("sess", cookie);
  const name = `${browserName(context.client)}, web app`;
  const open = await openAppSession(context.store, browserSession, name, token, context.now);
  if (!open) return SIGNED_OUT;
  const { id, email } = account;
  const isBehindPassword = /^basic /i.test(context.request.headers.get("authorization") ?? "");
  return scriptReply({
    token,
    account: { id: String(id), email },
    ...(isBehindPassword ? { isBehindPassword } : {}),
  });
};

const SIGNED_OUT: PageReply = {
  ...scriptReply({ error: "You are not signed in." }),
  status: 401,
};
