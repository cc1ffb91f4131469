import { expect, test } from "bun:test";
import {
  addAccount,
  disableAccount,
  enableAccount,
  setPassword,
} from "../../../src/db/people/accounts.ts";
import { endBrowserSession } from "../../../src/db/people/revocation.ts";
import { createSession } from "../../../src/db/people/sessions.ts";
import {
  type BrowserSignIn,
  createBrowserSession,
  createBrowserSessionByPassword,
  findBrowserSession,
  listBrowserSessions,
  renewBrowserSession,
} from "../../../src/db/people/browser-sessions.ts";
import { DAY, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { cryptoRandom, mintSecret } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, ask, openForTest, type TestStore } from "../../support/db/store.ts";

const SIGN_IN: BrowserSignIn = { method: "password", client: "Firefox", address: "192.0.2.1" };

/** A browser that ann signed in with at noon: its browser session and its cookie. */
const annsBrowser = async (store: TestStore) => {
  const accountId = await accountFor(store);
  const cookie = await createBrowserSession(store, accountId, SIGN_IN, cryptoRandom, NOON);
  const found = await findBrowserSession(store, cookie, NOON);
  if (!found) throw new Error("The browser session was not found.");
  return { accountId, cookie, browserSession: found.browserSession };
};

test("A cookie finds its browser session and its account", async () => {
  const store = await openForTest();
  const { accountId, cookie } = await annsBrowser(store);
  expect(cookie).toMatch(/^docket_page_[0-9A-Za-z]{38}$/);
  expect(await findBrowserSession(store, cookie, NOON)).toMatchObject({
    browserSession: {
      accountId,
      ...SIGN_IN,
      createdAt: NOON,
      lastUsedAt: NOON,
      authenticatedAt: NOON,
    },
    account: { id: accountId, email: "ann@example.org", isOwner: false },
  });
});

test("Only the digest of a cookie is stored, and nothing shows it", async () => {
  const store = await openForTest();
  const { accountId, cookie, browserSession } = await annsBrowser(store);
  const rows = JSON.stringify(ask(store.directory, "SELECT *, hex(digest) FROM visit"));
  expect(rows).not.toContain(cookie.slice(12));
  for (const shown of [browserSession, ...(await listBrowserSessions(store, accountId, NOON))])
    expect(Object.keys(shown)).not.toContain("digest");
});

test("Only the complete cookie of a browser session is accepted", async () => {
  const store = await openForTest();
  const { accountId, cookie } = await annsBrowser(store);
  const session = await createSession(store, accountId, "laptop", cryptoRandom, NOON);
  const digest = ask<{ hex: string }>(store.directory, "SELECT hex(digest) AS hex FROM visit");
  for (const other of [
    "",
    cookie.slice(0, -1),
    `${cookie} `,
    mintSecret("page", cryptoRandom),
    session.secret,
    digest[0]?.hex ?? "",
  ])
    expect(await findBrowserSession(store, other, NOON)).toBeNull();
});

test("A browser session ends after 14 days without use, and after 90 days in any case", async () => {
  const store = await openForTest();
  const { cookie } = await annsBrowser(store);
  expect(await findBrowserSession(store, cookie, NOON + 14 * DAY)).toBeNull();
  for (let day = 13; day < 90; day += 13) {
    expect(await findBrowserSession(store, cookie, NOON + day * DAY)).not.toBeNull();
    await store.writer.drain();
  }
  expect(await findBrowserSession(store, cookie, NOON + 90 * DAY - 1)).not.toBeNull();
  await store.writer.drain();
  expect(await findBrowserSession(store, cookie, NOON + 90 * DAY)).toBeNull();
});

test("Its last use is recorded to the minute", async () => {
  const store = await openForTest();
  const { accountId, cookie } = await annsBrowser(store);
  const lastUse = async () => {
    await store.writer.drain();
    return (await listBrowserSessions(store, accountId, NOON))[0]?.lastUsedAt;
  };
  await findBrowserSession(store, cookie, NOON + MINUTE - 1);
  expect(await lastUse()).toBe(NOON);
  await findBrowserSession(store, cookie, NOON + MINUTE);
  expect(await lastUse()).toBe(NOON + MINUTE);
});

test("A browser session that was ended is over at once; ending it again keeps the first time", async () => {
  const store = await openForTest();
  const { accountId, cookie, browserSession } = await annsBrowser(store);
  await endBrowserSession(store, accountId, browserSession.id, NOON + SECOND);
  await endBrowserSession(store, accountId, browserSession.id, NOON + MINUTE);
  expect(await findBrowserSession(store, cookie, NOON + SECOND)).toBeNull();
  expect(await listBrowserSessions(store, accountId, NOON)).toEqual([]);
  expect(ask(store.directory, "SELECT ended_at FROM visit")).toEqual([{ ended_at: NOON + SECOND }]);
});

test("Bob cannot end or renew ann's browser session", async () => {
  const store = await openForTest();
  const { cookie, browserSession } = await annsBrowser(store);
  const bob = await accountFor(store, "bob@example.org");
  await endBrowserSession(store, bob, browserSession.id, NOON + SECOND);
  await renewBrowserSession(store, bob, browserSession.id, cryptoRandom, NOON + SECOND);
  expect((await findBrowserSession(store, cookie, NOON + SECOND))?.browserSession).toEqual(
    browserSession,
  );
  expect(await listBrowserSessions(store, bob, NOON)).toEqual([]);
});

test("Renewing a proof gives the browser a new cookie and does not extend the session", async () => {
  const store = await openForTest();
  const { accountId, cookie, browserSession } = await annsBrowser(store);
  const renewed = await renewBrowserSession(
    store,
    accountId,
    browserSession.id,
    cryptoRandom,
    NOON + SECOND,
  );
  expect((await findBrowserSession(store, renewed ?? "", NOON + SECOND))?.browserSession).toEqual({
    ...browserSession,
    authenticatedAt: NOON + SECOND,
  });
  // The old cookie, which someone may have copied, no longer works.
  expect(await findBrowserSession(store, cookie, NOON + SECOND)).toBeNull();
});

test("A browser session that has ended cannot be renewed", async () => {
  const store = await openForTest();
  const { accountId, browserSession } = await annsBrowser(store);
  expect(
    await renewBrowserSession(store, accountId, browserSession.id, cryptoRandom, NOON + SECOND),
  ).not.toBeNull();
  await endBrowserSession(store, accountId, browserSession.id, NOON + SECOND);
  expect(
    await renewBrowserSession(store, accountId, browserSession.id, cryptoRandom, NOON + MINUTE),
  ).toBeNull();
});

test("A password signs in only while the account still has it and is not disabled", async () => {
  const store = await openForTest();
  const email = "bob@example.org";
  const { id } = await addAccount(store, email, { plan: "pro", passwordHash: "old" }, NOON);
  const signInWith = (passwordHash: string) => {
    const fitting = { accountId: id, passwordHash };
    return createBrowserSessionByPassword(store, fitting, false, SIGN_IN, cryptoRandom, NOON);
  };
  expect(await findBrowserSession(store, (await signInWith("old")) ?? "", NOON)).not.toBeNull();
  await setPassword(store, email, "new", { browserSessionId: null }, NOON);
  expect(await signInWith("old")).toBeNull();
  expect(await signInWith("new")).not.toBeNull();
  await disableAccount(store, email, NOON);
  expect(await signInWith("new")).toBeNull();
});

test("Browser sessions of a disabled account are refused, and work again once it is enabled", async () => {
  const store = await openForTest();
  const { cookie } = await annsBrowser(store);
  await disableAccount(store, "ann@example.org", NOON);
  expect(await findBrowserSession(store, cookie, NOON)).toBeNull();
  await enableAccount(store, "ann@example.org");
  expect(await findBrowserSession(store, cookie, NOON)).not.toBeNull();
});

test("A browser session that another process ends is refused at once", async () => {
  const store = await openForTest();
  const { accountId, cookie, browserSession } = await annsBrowser(store);
  const command = await openForTest({ directory: store.directory, role: "visitor" });
  await endBrowserSession(command, accountId, browserSession.id, NOON);
  expect(await findBrowserSession(store, cookie, NOON)).toBeNull();
});

test("The list holds the account's live browser sessions, most recently used first", async () => {
  const store = await openForTest();
  const accountId = await accountFor(store);
  const cookies: string[] = [];
  for (const client of ["old", "phone", "laptop"]) {
    const at = client === "old" ? NOON - 20 * DAY : NOON;
    cookies.push(
      await createBrowserSession(store, accountId, { ...SIGN_IN, client }, cryptoRandom, at),
    );
  }
  await findBrowserSession(store, cookies[1] ?? "", NOON + MINUTE);
  await store.writer.drain();
  const listed = await listBrowserSessions(store, accountId, NOON + MINUTE);
  expect(listed.map(({ client }) => client)).toEqual(["phone", "laptop"]);
});
