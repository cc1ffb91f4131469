import { expect, test } from "bun:test";
import { disableAccount, findAccount, listAccounts } from "../../../src/db/people/accounts.ts";
import {
  checkCode,
  findOwner,
  issueInvitation,
  issueSetUpCode,
  joinByInvitation,
  setUpOwner,
} from "../../../src/db/people/owner.ts";
import type { Store } from "../../../src/db/store.ts";
import { findBrowserSession } from "../../../src/db/people/browser-sessions.ts";
import { DAY, type Instant } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, ask, openForTest } from "../../support/db/store.ts";

const SIGN_IN = { method: "setup", client: null, address: "192.0.2.1" } as const;
const joining = (code: string, email: string) =>
  ({ code, email, passwordHash: `hash of ${email}`, plan: "pro" }) as const;

const join = (store: Store, code: string, email: string, now: Instant = NOON) =>
  joinByInvitation(store, joining(code, email), SIGN_IN, cryptoRandom, now);

/** A store that ann owns. */
const withOwner = async () => {
  const store = await openForTest();
  const code = await issueSetUpCode(store, cryptoRandom, NOON);
  await setUpOwner(store, joining(code, "ann@example.org"), SIGN_IN, cryptoRandom, NOON);
  const owner = await findOwner(store);
  if (!owner) throw new Error("There is no owner.");
  return { store, owner };
};

const REMEDY = "Ask the owner of this server for a new invitation.";
const UNKNOWN = "This code is not valid. It may be mistyped, or a newer code may have replaced it.";
const invalid = (message: string) => ({ reason: "invalid", message, headers: {} }) as const;

test("An invitation creates one account, once, and that account is not the owner", async () => {
  const { store, owner } = await withOwner();
  const code = await issueInvitation(store, owner.id, cryptoRandom, NOON);
  await checkCode(store, "invitation", code, NOON);
  const { secret } = await join(store, ` ${code.toLowerCase()} `, "bob@example.org");
  expect((await findBrowserSession(store, secret, NOON))?.account).toMatchObject({
    email: "bob@example.org",
    isOwner: false,
  });
  expect(await refused(() => join(store, code, "eve@example.org"))).toEqual(
    invalid(`This code has already been used. ${REMEDY}`),
  );
  expect((await findOwner(store))?.id).toBe(owner.id);
});

test("Only the owner can invite", async () => {
  const { store } = await withOwner();
  const bob = await accountFor(store, "bob@example.org");
  expect(await refused(() => issueInvitation(store, bob, cryptoRandom, NOON))).toEqual({
    reason: "forbidden",
    message: "Only the owner of this server can invite others.",
    headers: {},
  });
  expect(ask(store.directory, "SELECT id FROM code WHERE purpose = 'invitation'")).toEqual([]);
});

test("An invitation is void while the owner is disabled", async () => {
  const { store, owner } = await withOwner();
  const code = await issueInvitation(store, owner.id, cryptoRandom, NOON);
  await disableAccount(store, owner.email, NOON);
  expect(await refused(() => join(store, code, "bob@example.org"))).toEqual(
    invalid(`${UNKNOWN} ${REMEDY}`),
  );
  expect(await findAccount(store, "bob@example.org")).toBeNull();
});

test("An invitation is valid for seven days, and not as a set-up code", async () => {
  const { store, owner } = await withOwner();
  const code = await issueInvitation(store, owner.id, cryptoRandom, NOON);
  const end = NOON + 7 * DAY;
  expect(await refused(() => join(store, code, "bob@example.org", end))).toEqual(
    invalid(`This code has expired. ${REMEDY}`),
  );
  await join(store, code, "bob@example.org", end - 1);
});

test("An invitation for an e-mail that is taken creates nothing, and is used up", async () => {
  const { store, owner } = await withOwner();
  const code = await issueInvitation(store, owner.id, cryptoRandom, NOON);
  expect(await refused(() => join(store, code, owner.email))).toEqual({
    reason: "already_there",
    message: `This address cannot be used, and the invitation is now used up. ${REMEDY}`,
    headers: {},
  });
  expect(await refused(() => join(store, code, "bob@example.org"))).toEqual(
    invalid(`This code has already been used. ${REMEDY}`),
  );
  expect((await listAccounts(store)).map(({ email }) => email)).toEqual(["ann@example.org"]);
});

test("An invitation that fifty people use at once lets one in", async () => {
  const { store, owner } = await withOwner();
  const code = await issueInvitation(store, owner.id, cryptoRandom, NOON);
  const tries = Array.from({ length: 50 }, (_, at) => join(store, code, `p.${at}@example.org`));
  const ended = await Promise.allSettled(tries);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await listAccounts(store)).toHaveLength(2);
});
