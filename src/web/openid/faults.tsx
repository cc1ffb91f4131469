import type { AuthorizationResponseError, ResponseBodyError } from "openid-client";
import { statusOnTheWay } from "../entry/signed-in-for.ts";
import type { PageContext } from "../shared/page.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Unreachable } from "./provider.ts";

/** Why a trip to the provider and back failed. */
export type Fault =
  "denied" | "other" | "refused" | "stale" | "unlinked" | "unreachable" | "untrusted";

const WORDS: Readonly<Record<Fault, (name: string) => string>> = {
  denied: (name) =>
    `${name} says that you cancelled, or that you are not allowed to sign in. Nothing was changed.`,
  other: (name) =>
    `You signed in at ${name} as someone else. That identity is not linked to this account.`,
  refused: (name) =>
    `${name} did not accept this server's request. The person who runs this server can find the reason in its log.`,
  stale: (name) =>
    `This sign-in at ${name} was not started in this browser, took more than 10 minutes, or was already used.`,
  unlinked: (name) =>
    `You signed in at ${name}, but no account on this server is linked to that identity.`,
  unreachable: (name) => `${name} cannot be reached right now. Try again in a minute.`,
  untrusted: (name) =>
    `The answer from ${name} did not pass this server's checks. The person who runs this server can find the reason in its log.`,
};

/** Whether the provider refused, in the browser's address. The library is not loaded here, so its errors are known by their codes. */
const isRefusedOnTheWay = (error: unknown): error is AuthorizationResponseError =>
  codeOf(error) === "OAUTH_AUTHORIZATION_RESPONSE_ERROR";

/** Whether it refused in its own reply. */
const isRefusedInReply = (error: unknown): error is ResponseBodyError =>
  codeOf(error) === "OAUTH_RESPONSE_BODY_ERROR";

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : null;

/** What an error of the client library means. */
export const faultOf = (error: unknown): Fault => {
  if (isUnreachable(error)) return "unreachable";
  if (isRefusedInReply(error)) return "refused";
  if (!isRefusedOnTheWay(error)) return "untrusted";
  return error.error === "access_denied" ? "denied" : "refused";
};

/** The provider's own code for why it refused (RFC 6749, 4.1.2.1 and 5.2); null if it did not refuse. */
export const refusalCode = (error: unknown): string | null => {
  if (!isRefusedOnTheWay(error) && !isRefusedInReply(error)) return null;
  // Anyone can send any text here. Only something that looks like a code goes into the log.
  return /^[\w.-]{1,60}$/.test(error.error) ? error.error : "unreadable";
};

/** The library wraps errors that it does not know. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Error && isUnreachable(error.cause));

/**
 * Says what went wrong and how to continue; `again` is the page to start again from, `next` the one that the person is
 * on the way to.
 */
export const faultPage = (
  context: PageContext,
  fault: Fault,
  again: string,
  next = again,
): PageReply => {
  const name = context.service.openId?.name ?? "The provider";
  return html(
    <Layout title="That did not work" account={context.who?.account ?? null}>
      <p>{WORDS[fault](name)}</p>
      {fault === "unlinked" && <HowToLink name={name} />}
      <p>
        <a href={again}>Go back to try again or another way</a>
      </p>
    </Layout>,
    { status: statusOnTheWay(next, fault === "unreachable" ? 503 : 403) },
  );
};

const HowToLink = ({ name }: { readonly name: string }) => (
  <ul>
    <li>
      If you have an account here, sign in with your password or a passkey, then link {name} under
      Security.
    </li>
    <li>If you have no account, ask the owner of this server for an invitation.</li>
  </ul>
);

type LinkProps = {
  readonly context: PageContext;
  readonly path: "/account/confirm/openid" | "/sign-in/openid";
  readonly next: string;
  /** What comes before the provider's name. */
  readonly verb: string;
};

/** A link to the OpenID provider, if one is configured. */
export const OpenIdLink = ({ context, path, next, verb }: LinkProps) => {
  const { openId } = context.service;
  return openId === null ? null : (
    <p>
      <a class="button" href={`${path}?next=${encodeURIComponent(next)}`}>
        {`${verb} ${openId.name}`}
      </a>
    </p>
  );
};
