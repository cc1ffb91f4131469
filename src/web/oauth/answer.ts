import { issuerOf } from "../../server/checks/request.ts";
import {
  type AuthorizationRequest,
  type OAuthError,
  parametersOf,
} from "../../domain/people/oauth.ts";
import { redirectWith } from "../../domain/people/identity.ts";
import type { PageContext } from "../shared/page.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";

type RedirectTarget = { readonly redirectUri: string; readonly state: string | null };

/**
 * Sends the browser back to the extension with the outcome of its request, the `state` by which it recognises
 * the request, and the issuer of the answer (RFC 9207).
 */
export const sendBack = (
  context: PageContext,
  { redirectUri, state }: RedirectTarget,
  answer: OAuthError | { readonly code: string },
): PageReply =>
  seeOther(
    redirectWith(redirectUri, {
      ...answer,
      ...(state === null ? {} : { state }),
      iss: issuerOf(context.origin, context.service.settings),
    }),
  );

/** Sends the browser back with the news that its person said no. */
export const sendDenial = (context: PageContext, target: RedirectTarget): PageReply =>
  sendBack(context, target, {
    error: "access_denied",
    error_description: "The person who is signed in did not allow it.",
  });

/**
 * Redirects to the sign-in page, and from there back to the request. Passes on only what was checked, so the
 * address stays short and contains nothing else.
 */
export const signInFirst = (request: AuthorizationRequest): PageReply => {
  const { deviceName } = request;
  const query = new URLSearchParams({
    ...parametersOf(request),
    ...(deviceName === null ? {} : { device_name: deviceName }),
  });
  return seeOther(`/sign-in?next=${encodeURIComponent(`/oauth/authorize?${query}`)}`);
};
