import { expect } from "bun:test";
import type { TestServer } from "../support/server.ts";
import type { ProviderBrowser, RealProvider } from "./_provider.ts";
import { type Seen, someoneSignedIn, type Visitor } from "./_visitor.ts";

/** What pages say of a provider of this name. */
export const saysOf = (name: string) => ({
  stale: `This sign-in at ${name} was not begun in this browser, took more than 10 minutes, or was used already.`,
  unlinked: `You signed in at ${name}, but no account of this server is linked to that.`,
  denied: `${name} says that this was cancelled, or that you may not. Nothing was done.`,
  other: `You signed in at ${name} as somebody else: that identity is not linked to this account.`,
  refused: `${name} did not take this server's request. Whoever runs this server finds the reason in its log.`,
  unreachable: `${name} cannot be reached at the moment. Try again in a minute.`,
  untrusted: `What ${name} answered did not pass this server's checks. Whoever runs this server finds the reason in its log.`,
  taken: "It is linked to another account of this server: unlink it there first.",
});

export const expectPage = (seen: Seen, status: number, text: string): void =>
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(text)]);

/** From one of our pages to the provider, through it, and to the path that it leads back to. */
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

/** The ticket of an identity that waits to be linked. */
export const ticketOf = (seen: Seen): string =>
  /ticket=(\S+)$/.exec(seen.location ?? "")?.[1] ?? "";

/** Ann, signed in by her password, and linked to an identity of the provider of this subject. */
export const linked = async (server: TestServer, provider: RealProvider, subject: string) => {
  const ann = await someoneSignedIn(server);
  const there = provider.browser();
  const back = await ann.get(await roundTrip(ann, there, "/account/openid/link", subject));
  const seen = await ann.post("/account/openid/link", { ticket: ticketOf(back) });
  expect([seen.status, seen.location]).toEqual([303, "/account/security?done=linked"]);
  return { ann, there };
};

/** Whether what cannot be taken back asks this browser for the password. */
export const needsPassword = async (browser: Visitor): Promise<boolean> =>
  (await browser.get("/account/keys")).html.includes("Your password, once more");
