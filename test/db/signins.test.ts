import { expect, test } from "bun:test";
import { setPassword } from "../../src/db/accounts.ts";
import { endVisit } from "../../src/db/endings.ts";
import { isRemembered } from "../../src/db/redirects.ts";
import { issueAuthorization, issuePairing } from "../../src/db/signins.ts";
import { createVisit, findVisit } from "../../src/db/visits.ts";
import { cryptoRandom } from "../../src/secret.ts";
import { refused } from "../_refused.ts";
import { CHROME } from "../_redirects.ts";
import { NOON } from "../_server.ts";
import { accountFor, ask, openForTest } from "./_store.ts";

const ARRIVAL = { method: "password", client: null, address: "127.0.0.1" } as const;
const CONSENT = { redirectUri: CHROME, challenge: "c", deviceName: "laptop", remember: true };
const SIGNED_OUT = {
  reason: "forbidden" as const,
  message: "You have been signed out. Sign in again.",
  headers: {},
};

const visitOf = async (store: ReturnType<typeof openForTest>, accountId: number) => {
  const secret = await createVisit(store, accountId, ARRIVAL, cryptoRandom, NOON);
  return (await findVisit(store, secret, NOON))?.visit.id ?? "";
};

test("whoever was signed out, or has a new password, while the form was under way gets no code", async () => {
  const store = openForTest();
  const ann = await accountFor(store);
  const bob = await accountFor(store, "bob@example.org");
  const ended = await visitOf(store, ann);
  const before = await visitOf(store, ann);
  const other = await visitOf(store, bob);
  await endVisit(store, ann, ended, NOON);
  await setPassword(store, "ann@example.org", "x", { visitId: null }, NOON);
  for (const visit of [ended, before, other, "nothing"]) {
    const issue = () => issueAuthorization(store, ann, visit, CONSENT, cryptoRandom, NOON);
    expect(await refused(issue)).toEqual(SIGNED_OUT);
    const pair = () => issuePairing(store, ann, visit, cryptoRandom, NOON);
    expect(await refused(pair)).toEqual(SIGNED_OUT);
  }
  expect(ask(store.directory, "SELECT * FROM code")).toEqual([]);
  expect(await isRemembered(store, ann, CHROME)).toBe(false);
});

test("a redirect is remembered together with the code, once, and only where it was asked for", async () => {
  const store = openForTest();
  const ann = await accountFor(store);
  const visit = await visitOf(store, ann);
  const issue = (remember: boolean) =>
    issueAuthorization(store, ann, visit, { ...CONSENT, remember }, cryptoRandom, NOON);
  await issue(false);
  expect(await isRemembered(store, ann, CHROME)).toBe(false);
  await issue(true);
  await issue(true);
  expect(await isRemembered(store, ann, CHROME)).toBe(true);
  expect(ask(store.directory, "SELECT * FROM code")).toHaveLength(3);
});
