import { isRemembered } from "../../db/people/redirects.ts";
import { howLong } from "../../domain/people/api-key.ts";
import { issueAuthorization } from "../../db/people/sign-ins.ts";
import { browserName } from "../../domain/people/session.ts";
import { isClientId } from "../../domain/people/oauth-client.ts";
import { getClientAuthorize, postClientAuthorize } from "./client.tsx";
import { type AuthorizationRequest, once, readAuthorization } from "../../domain/people/oauth.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { cryptoRandom } from "../../domain/base/secret.ts";
import type { PageContext, SignedInContext } from "../shared/page.ts";
import { proveNow } from "../entry/proof.ts";
import { hasProvedFor } from "../entry/signed-in-for.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import type { PageReply } from "../shared/reply.tsx";
import { sendBack, sendDenial, signInFirst } from "./answer.ts";
import { consentReply } from "./consent.tsx";

/**
 * `GET /oauth/authorize`: asks the signed-in person whether to let an extension in. Only the cookie of the
 * account area says who that is. A token in a header, even an API key, means nothing here.
 */
export const getAuthorize = (context: PageContext): Promise<PageReply> | PageReply =>
  isClientId(once(context.query, "client_id"))
    ? getClientAuthorize(context)
    : withRequest(context, context.query, (own, request, trusted) => {
        const deviceName = request.deviceName ?? browserName(context.client);
        return consentReply({ own, request, trusted, deviceName, problems: NO_PROBLEMS });
      });

/** `POST /oauth/authorize`: what they decided. Everything that the form repeats is checked again. */
export const postAuthorize = (context: PageContext): Promise<PageReply> | PageReply =>
  isClientId(field(context.form, "client_id"))
    ? postClientAuthorize(context)
    : withRequest(
        context,
        new URLSearchParams([...context.form]),
        async (own, request, trusted) => {
          if (field(context.form, "decision") === "deny") return sendDenial(context, request);
          const problems = await problemsOf(own, request, trusted);
          if (isEmpty(problems)) return admit(own, request, trusted);
          const deviceName = field(context.form, "device_name");
          return consentReply({ own, request, trusted, deviceName, problems });
        },
      );

type GoOn = (
  own: SignedInContext,
  request: AuthorizationRequest,
  /** Whether the extension is let in without the account's password. */
  trusted: boolean,
) => Promise<PageReply> | PageReply;

/**
 * Continues with a request that can be granted, by someone who is signed in. Otherwise says what is in the
 * way.
 */
const withRequest = async (
  context: PageContext,
  sent: URLSearchParams,
  goOn: GoOn,
): Promise<PageReply> => {
  const { extensionRedirects } = context.service.settings;
  const read = readAuthorization(sent, extensionRedirects);
  if (read.kind === "unusable") throw new Refusal("malformed", read.problem);
  if (read.kind === "wrong") return sendBack(context, read, read.error);
  const { request } = read;
  const { redirectUri, silent } = request;
  const trusted =
    extensionRedirects.includes(redirectUri) ||
    (context.who !== null &&
      (await isRemembered(context.store, context.who.account.id, redirectUri)));
  // Without a page there is no click, and without a click no code.
  if (silent) return sendBack(context, request, needed(context.who !== null, trusted));
  return context.who
    ? goOn({ ...context, who: context.who }, request, trusted)
    : signInFirst(request);
};

/** What a page would ask for (OpenID Connect Core, 3.1.2.6). */
const needed = (signedIn: boolean, trusted: boolean) => {
  if (!signedIn)
    return { error: "login_required", error_description: "Nobody is signed in. Show the page." };
  return trusted
    ? { error: "consent_required", error_description: "The person has to allow it. Show the page." }
    : { error: "interaction_required", error_description: "A password is needed. Show the page." };
};

const problemsOf = async (
  own: SignedInContext,
  request: AuthorizationRequest,
  trusted: boolean,
): Promise<Problems> => {
  if (field(own.form, "decision") !== "allow") return { "": "Choose Allow or Cancel." };
  if (request.deviceName === null)
    return {
      device_name: `Enter a name of 1 to 100 printable characters.${howLong(field(own.form, "device_name").trim())}`,
    };
  return trusted || hasProvedFor(own, request) ? NO_PROBLEMS : proveNow(own);
};

const admit = async (
  own: SignedInContext,
  request: AuthorizationRequest,
  trusted: boolean,
): Promise<PageReply> => {
  const { redirectUri, challenge, deviceName } = request;
  const consent = { redirectUri, challenge, deviceName: deviceName ?? "", remember: !trusted };
  const { account, browserSession } = own.who;
  const { store, now } = own;
  const code = await issueAuthorization(
    store,
    account.id,
    browserSession.id,
    consent,
    cryptoRandom,
    now,
  );
  return sendBack(own, request, { code });
};
