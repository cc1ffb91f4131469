import { expect } from "bun:test";
import type { TestServer } from "../server.ts";
import type { ProviderBrowser, RealProvider } from "./provider.ts";
import { type Seen, someoneSignedIn, type Visitor } from "./visitor.ts";

/** What pages say about the provider of this name. */
export const saysOf = (name: string) => ({
  stale: `This sign-in at ${name} was not started in this browser, took more than 10 minutes, or was already used.`,
  unlinked: `You signed in at ${name}, but no account on this server is linked to that identity.`,
  denied: `${name} says that you cancelled, or that you are not allowed to sign in. Nothing was changed.`,
  other: `You signed in at ${name} as someone else. That identity is not linked to this account.`,
  refused: `${name} did not accept this server's request. The person who runs this server can find the reason in its log.`,
  unreachable: `${name} cannot be reached right now. Try again in a minute.`,
  untrusted: `The answer from ${name} did not pass this server's checks. The person who runs this server can find the reason in its log.`,
  taken: "It is already linked to another account on this server. Unlink it there first.",
});

export const expectPage = (seen: Seen, status: number, text: string): void =>
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(text)]);

/** Goes from one of our pages to the provider and through it. Returns the path that it leads back to. */
export const roundTrip = async (
  browser: Visitor,
  there: ProviderBrowser,
  path: string,
  subject: string,
): Promise<string> => {
  const begun = await browser.get(path);
  expect(begun.status).toBe(303);
  const { pathname, search } = new URL(await there.follow(begun.location, { subject }));
  expect(pathname).toBe("/sign-in/openid/callback");
  return pathname + search;
};

/** The ticket of an identity that is waiting to be linked. */
export const ticketOf = (seen: Seen): string =>
  /ticket=(\S+)$/.exec(seen.location ?? "")?.[1] ?? "";

/** Ann, signed in with her password, and linked to the provider's identity with this subject. */
export const linked = async (server: TestServer, provider: RealProvider, subject: string) => {
  const ann = await someoneSignedIn(server);
  const there = provider.browser();
  const back = await ann.get(await roundTrip(ann, there, "/account/openid/link", subject));
  const seen = await ann.post("/account/openid/link", { ticket: ticketOf(back) });
  expect([seen.status, seen.location]).toEqual([303, "/account/security?done=linked"]);
  return { ann, there };
};

/** Whether a form that cannot be undone asks this browser for the password. */
export const needsPassword = async (browser: Visitor): Promise<boolean> =>
  (await browser.get("/account/keys/new")).html.includes("Confirm with your password");
