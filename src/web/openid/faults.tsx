import { AuthorizationResponseError, ResponseBodyError } from "openid-client";
import type { PageContext } from "../shared/context.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Unreachable } from "./provider.ts";

/** Why nothing came of a way to the provider and back. */
export type Fault =
  "denied" | "other" | "refused" | "stale" | "unlinked" | "unreachable" | "untrusted";

const WORDS: Readonly<Record<Fault, (name: string) => string>> = {
  denied: (name) => `${name} says that this was cancelled, or that you may not. Nothing was done.`,
  other: (name) =>
    `You signed in at ${name} as somebody else: that identity is not linked to this account.`,
  refused: (name) =>
    `${name} did not take this server's request. Whoever runs this server finds the reason in its log.`,
  stale: (name) =>
    `This sign-in at ${name} was not begun in this browser, took more than 10 minutes, or was used already.`,
  unlinked: (name) => `You signed in at ${name}, but no account of this server is linked to that.`,
  unreachable: (name) => `${name} cannot be reached at the moment. Try again in a minute.`,
  untrusted: (name) =>
    `What ${name} answered did not pass this server's checks. Whoever runs this server finds the reason in its log.`,
};

/** What an error of the client library means. */
export const faultOf = (error: unknown): Fault => {
  if (isUnreachable(error)) return "unreachable";
  if (error instanceof ResponseBodyError) return "refused";
  if (!(error instanceof AuthorizationResponseError)) return "untrusted";
  return error.error === "access_denied" ? "denied" : "refused";
};

/** The provider's own name for why it refused (RFC 6749, 4.1.2.1 and 5.2), null where it did not. */
export const refusalCode = (error: unknown): string | null => {
  if (!(error instanceof AuthorizationResponseError || error instanceof ResponseBodyError))
    return null;
  // Anyone can come back with any: what is no code has no place in the log.
  return /^[\w.-]{1,60}$/.test(error.error) ? error.error : "unreadable";
};

/** The library wraps what it does not know. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Error && isUnreachable(error.cause));

/** Tells what went wrong and how to go on; `again` is the page where it can be begun anew. */
export const faultPage = (context: PageContext, fault: Fault, again: string): PageReply => {
  const name = context.service.openId?.name ?? "The provider";
  return html(
    <Layout title="This did not work" account={context.who?.account ?? null}>
      <p>{WORDS[fault](name)}</p>
      {fault === "unlinked" && <HowToLink name={name} />}
      <p>
        <a href={again}>Back, to try again or another way</a>
      </p>
    </Layout>,
    { status: fault === "unreachable" ? 503 : 403 },
  );
};

const HowToLink = ({ name }: { readonly name: string }) => (
  <ul>
    <li>
      If you have an account here, sign in with its password or passkey, and link {name} under
      Security.
    </li>
    <li>If you have none, ask the owner of this server for an invitation.</li>
  </ul>
);
