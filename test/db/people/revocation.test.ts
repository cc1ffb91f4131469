import { expect, test } from "bun:test";
import { addAccount, setPassword } from "../../../src/db/people/accounts.ts";
import {
  createBrowserSession,
  findBrowserSession,
  isKnownBrowser,
  listBrowserSessions,
  rememberBrowser,
} from "../../../src/db/people/browser-sessions.ts";
import { findCode, insertCode, useCode } from "../../../src/db/people/codes.ts";
import { authenticate } from "../../../src/db/people/credentials.ts";
import { countAttempt } from "../../../src/db/calls/throttle.ts";
import { pruneBrowserSessions } from "../../../src/db/people/revocation.ts";
import { createKey } from "../../../src/db/people/api-keys.ts";
import { createSession, listSessions } from "../../../src/db/people/sessions.ts";
import { DAY, MINUTE, SECOND } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { refused } from "../../support/refused.ts";
import { NOON } from "../../support/server.ts";
import { fill } from "../../support/db/calls.ts";
import { openForTest, pushTask, type TestStore } from "../../support/db/store.ts";

const SIGN_IN = { method: "password", client: null, address: "192.0.2.1" } as const;
const SCOPES = ["read", "write"] as const;

/** Everything that one person can be signed in with. */
const everythingOf = async (store: TestStore, email: string) => {
  const account = await addAccount(store, email, { plan: "pro", passwordHash: "old" }, NOON);
  const { id } = account;
  const keyFields = { name: "bot", scopes: SCOPES, restriction: null, expiresAt: null };
  const code = `${email}'s pairing code`;
  await store.writer.write((tx) => insertCode(tx, "pairing", code, { accountId: id }, NOON));
  return {
    id,
    code,
    here: await createBrowserSession(store, id, SIGN_IN, cryptoRandom, NOON),
    elsewhere: await createBrowserSession(store, id, SIGN_IN, cryptoRandom, NOON),
    known: await rememberBrowser(store, id, null, cryptoRandom, NOON),
    session: (await createSession(store, id, "laptop", cryptoRandom, NOON)).secret,
    key: (await createKey(store, id, keyFields, cryptoRandom, NOON)).secret,
  };
};

type Everything = Awaited<ReturnType<typeof everythingOf>>;

/** Which of it still works. */
const working = async (store: TestStore, all: Everything) => {
  const { state } = await store.writer.write((tx) => findCode(tx, "pairing", all.code, NOON));
  const works = {
    here: await findBrowserSession(store, all.here, NOON),
    elsewhere: await findBrowserSession(store, all.elsewhere, NOON),
    known: await isKnownBrowser(store, all.id, all.known),
    session: await authenticate(store, all.session, NOON),
    code: state === "good",
    key: await authenticate(store, all.key, NOON),
  };
  return Object.entries(works).flatMap(([name, is]) => (is ? [name] : []));
};

const EVERYTHING = ["here", "elsewhere", "known", "session", "code", "key"];

test("Browser sessions are deleted long after they have ended, and not before", async () => {
  const store = await openForTest();
  const { here, id } = await everythingOf(store, "ann@example.org");
  await pruneBrowserSessions(store, NOON + 365 * DAY);
  expect(await findBrowserSession(store, here, NOON)).not.toBeNull();
  // The server is used on a hundred days.
  fill(store, id, "key-1", 50, { at: `${NOON} + n * ${DAY}` });
  await pushTask(store, id, "t1", NOON, { title: "0" });
  for (let day = 51; day <= 100; day += 1)
    await pushTask(store, id, "t1", NOON + day * DAY, { title: `${day}` });
  await pruneBrowserSessions(store, NOON + 180 * DAY);
  expect(await findBrowserSession(store, here, NOON)).not.toBeNull();
  await pruneBrowserSessions(store, NOON + 180 * DAY + 1);
  expect(await findBrowserSession(store, here, NOON)).toBeNull();
});

test("A new password signs ann out everywhere, keeps her API keys, and leaves bob alone", async () => {
  const store = await openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  const bob = await everythingOf(store, "bob@example.org");
  expect(await working(store, ann)).toEqual(EVERYTHING);
  await setPassword(store, "ann@example.org", "new", { browserSessionId: null }, NOON);
  expect(await working(store, ann)).toEqual(["key"]);
  expect(await working(store, bob)).toEqual(EVERYTHING);
});

test("The browser in which ann changes her password stays signed in", async () => {
  const store = await openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  const browserSessionId =
    (await findBrowserSession(store, ann.here, NOON))?.browserSession.id ?? null;
  await setPassword(store, "ann@example.org", "new", { browserSessionId }, NOON);
  expect(await working(store, ann)).toEqual(["here", "key"]);
  expect((await listBrowserSessions(store, ann.id, NOON)).map(({ id }) => id)).toEqual([
    browserSessionId ?? "",
  ]);
});

test("Asking to keep someone else's browser session keeps nothing", async () => {
  const store = await openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  const bob = await everythingOf(store, "bob@example.org");
  const browserSessionId =
    (await findBrowserSession(store, bob.here, NOON))?.browserSession.id ?? null;
  await setPassword(store, "ann@example.org", "new", { browserSessionId }, NOON);
  expect(await working(store, ann)).toEqual(["key"]);
});

test("What ended earlier keeps its time, and used codes are still reported as used", async () => {
  const store = await openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  await store.writer.write(async (tx) => {
    const { row } = await findCode(tx, "pairing", ann.code, NOON);
    await useCode(tx, row?.id ?? "", null, NOON);
  });
  for (const at of [NOON + SECOND, NOON + MINUTE])
    await setPassword(store, "ann@example.org", "new", { browserSessionId: null }, at);
  expect((await listSessions(store, ann.id))[0]?.revokedAt).toBe(NOON + SECOND);
  const found = await store.writer.write((tx) => findCode(tx, "pairing", ann.code, NOON));
  expect(found.state).toBe("used");
});

test("Failed guesses at ann's old password do not make her wait with the new one", async () => {
  const store = await openForTest();
  await everythingOf(store, "ann@example.org");
  const ann = [{ kind: "email", name: "ann@example.org" }] as const;
  const bob = [{ kind: "email", name: "bob@example.org" }] as const;
  for (let tries = 0; tries < 10; tries++) {
    await countAttempt(store, ann, NOON);
    await countAttempt(store, bob, NOON);
  }
  await setPassword(store, "ann@example.org", "new", { browserSessionId: null }, NOON);
  await countAttempt(store, ann, NOON);
  expect((await refused(() => countAttempt(store, bob, NOON))).reason).toBe("too_many");
});
