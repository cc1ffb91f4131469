import { isRemembered } from "../../db/redirects.ts";
import { issueAuthorization } from "../../db/signins.ts";
import { browserName } from "../../client.ts";
import { type AuthorizationRequest, readAuthorization } from "../../oauth.ts";
import { Refusal } from "../../refusal.ts";
import { cryptoRandom } from "../../secret.ts";
import type { Ask, SignedInAsk } from "../ask.ts";
import { proveNow } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import type { PageReply } from "../reply.tsx";
import { sendBack, signInFirst } from "./answer.ts";
import { consentReply } from "./consent.tsx";

/**
 * `GET /oauth/authorize`: asks the signed-in person whether to let an extension in. Only the cookie of the
 * account area says who that is. A token in a header, even an API key, means nothing here.
 */
export const getAuthorize = (ask: Ask): Promise<PageReply> | PageReply =>
  withRequest(ask, ask.query, (own, request, trusted) => {
    const { account } = own.who;
    const deviceName = request.deviceName ?? browserName(ask.client);
    return consentReply({ account, request, trusted, deviceName, problems: NO_PROBLEMS });
  });

/** `POST /oauth/authorize`: what they decided. Everything that the form repeats is checked again. */
export const postAuthorize = (ask: Ask): Promise<PageReply> | PageReply =>
  withRequest(ask, new URLSearchParams([...ask.form]), async (own, request, trusted) => {
    if (field(ask.form, "decision") === "deny")
      return sendBack(ask, request, {
        error: "access_denied",
        error_description: "The person who is signed in did not allow it.",
      });
    const problems = await problemsOf(own, request, trusted);
    if (isEmpty(problems)) return letIn(own, request, trusted);
    const deviceName = field(ask.form, "device_name");
    return consentReply({ account: own.who.account, request, trusted, deviceName, problems });
  });

type GoOn = (
  own: SignedInAsk,
  request: AuthorizationRequest,
  /** Whether the extension is let in without the account's password. */
  trusted: boolean,
) => Promise<PageReply> | PageReply;

/**
 * Continues with a request that can be granted, by someone who is signed in. Otherwise says what is in the
 * way.
 */
const withRequest = async (ask: Ask, sent: URLSearchParams, goOn: GoOn): Promise<PageReply> => {
  const { extensionRedirects } = ask.service.settings;
  const read = readAuthorization(sent, extensionRedirects);
  if (read.kind === "unusable") throw new Refusal("malformed", read.problem);
  if (read.kind === "wrong") return sendBack(ask, read, read.error);
  const { request } = read;
  const { redirectUri, silent } = request;
  const trusted =
    extensionRedirects.includes(redirectUri) ||
    (ask.who !== null && (await isRemembered(ask.store, ask.who.account.id, redirectUri)));
  // Without a page there is no click, and without a click no code.
  if (silent) return sendBack(ask, request, needed(ask.who !== null, trusted));
  return ask.who ? goOn({ ...ask, who: ask.who }, request, trusted) : signInFirst(request);
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
  own: SignedInAsk,
  { deviceName }: AuthorizationRequest,
  trusted: boolean,
): Promise<Problems> => {
  if (field(own.form, "decision") !== "allow") return { "": "Choose Allow or Cancel." };
  if (deviceName === null) return { device_name: "Enter a name of 1 to 100 printable characters." };
  // Even if the last proof is recent: a stranger's extension must not be one click away from all tasks.
  return trusted ? NO_PROBLEMS : proveNow(own);
};

const letIn = async (
  own: SignedInAsk,
  request: AuthorizationRequest,
  trusted: boolean,
): Promise<PageReply> => {
  const { redirectUri, challenge, deviceName } = request;
  const consent = { redirectUri, challenge, deviceName: deviceName ?? "", remember: !trusted };
  const { account, visit } = own.who;
  const { store, now } = own;
  const code = await issueAuthorization(store, account.id, visit.id, consent, cryptoRandom, now);
  return sendBack(own, request, { code });
};
