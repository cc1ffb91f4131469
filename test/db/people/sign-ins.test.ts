import { isRemembered } from "../../../src/db/people/redirects.ts";
import { expect, test } from "bun:test";
import { setPassword } from "../../../src/db/people/accounts.ts";
import { endBrowserSession } from "../../../src/db/people/revocation.ts";
import { issueAuthorization, issuePairing } from "../../../src/db/people/sign-ins.ts";
import {
  createBrowserSession,
  findBrowserSession,
} from "../../../src/db/people/browser-sessions.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { refused } from "../../support/refused.ts";
import { CHROME } from "../../support/redirects.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, ask, openForTest, type TestStore } from "../../support/db/store.ts";

const SIGN_IN = { method: "password", client: null, address: "127.0.0.1" } as const;
const CONSENT = { redirectUri: CHROME, challenge: "c", deviceName: "laptop", remember: true };
const SIGNED_OUT = {
  reason: "forbidden" as const,
  message: "You have been signed out. Sign in again.",
  headers: {},
};

const browserSessionOf = async (store: TestStore, accountId: number) => {
  const secret = await createBrowserSession(store, accountId, SIGN_IN, cryptoRandom, NOON);
  return (await findBrowserSession(store, secret, NOON))?.browserSession.id ?? "";
};

test("Someone who was signed out, or has a new password, while the form was being sent gets no code", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const bob = await accountFor(store, "bob@example.org");
  const ended = await browserSessionOf(store, ann);
  const before = await browserSessionOf(store, ann);
  const other = await browserSessionOf(store, bob);
  await endBrowserSession(store, ann, ended, NOON);
  await setPassword(store, "ann@example.org", "x", { browserSessionId: null }, NOON);
  for (const browserSession of [ended, before, other, "nothing"]) {
    const issue = () => issueAuthorization(store, ann, browserSession, CONSENT, cryptoRandom, NOON);
    expect(await refused(issue)).toEqual(SIGNED_OUT);
    const pair = () => issuePairing(store, ann, browserSession, cryptoRandom, NOON);
    expect(await refused(pair)).toEqual(SIGNED_OUT);
  }
  expect(ask(store.directory, "SELECT * FROM code")).toEqual([]);
  expect(await isRemembered(store, ann, CHROME)).toBe(false);
});

test("A redirect is remembered with its code, once, and only if that was requested", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const browserSession = await browserSessionOf(store, ann);
  const issue = (remember: boolean) =>
    issueAuthorization(store, ann, browserSession, { ...CONSENT, remember }, cryptoRandom, NOON);
  await issue(false);
  expect(await isRemembered(store, ann, CHROME)).toBe(false);
  await issue(true);
  await issue(true);
  expect(await isRemembered(store, ann, CHROME)).toBe(true);
  expect(ask(store.directory, "SELECT * FROM code")).toHaveLength(3);
});
