import { expect, test } from "bun:test";
import { join } from "node:path";
import { addAccount, findAccount, setPassword } from "../../../src/db/people/accounts.ts";
import {
  findAuthenticator,
  turnOffAuthenticator,
  turnOffAuthenticatorOf,
  turnOnAuthenticator,
  useSecondFactor,
} from "../../../src/db/people/authenticators.ts";
import {
  createBrowserSession,
  createBrowserSessionByPassword,
  findBrowserSession,
  listBrowserSessions,
} from "../../../src/db/people/browser-sessions.ts";
import { issueSetUpCode, setUpOwner } from "../../../src/db/people/owner.ts";
import { endBrowserSession } from "../../../src/db/people/revocation.ts";
import { restoreBackup, writeBackup } from "../../../src/db/sqlite/files/backup.ts";
import { totpCode, totpStep } from "../../../src/domain/people/totp.ts";
import { cryptoRandom as random } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import {
  accountFor,
  directoryForTest,
  openForTest,
  type TestStore,
} from "../../support/db/store.ts";

const SIGN_IN = { method: "password", client: null, address: "127.0.0.1" } as const;
const SECRET = Buffer.from("12345678901234567890");
const STEP = totpStep(NOON);
const MADE = { secret: SECRET, step: STEP };
const code = (off: number): string => totpCode(SECRET, STEP + off);

/** Ann, whose browser is signed in. */
const withAnn = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const cookie = await createBrowserSession(store, ann, SIGN_IN, random, NOON);
  const [visit] = await listBrowserSessions(store, ann, NOON);
  const turnOn = () => turnOnAuthenticator(store, ann, visit?.id ?? "", MADE, random, NOON);
  return { store, ann, cookie, visit: visit?.id ?? "", turnOn };
};

const again = (store: TestStore) => openForTest({ directory: store.directory });

test("A second factor is turned on once, and not from a browser that has been signed out", async () => {
  const { store, ann, visit, turnOn } = await withAnn();
  expect((await turnOn())?.codes).toHaveLength(10);
  expect(await turnOn()).toBeNull();
  expect(await turnOffAuthenticator(store, ann, visit, NOON)).toBe(true);
  expect(await turnOffAuthenticator(store, ann, visit, NOON)).toBe(false);
  await endBrowserSession(store, ann, visit, NOON);
  expect(await turnOn()).toBeNull();
  expect(await findAuthenticator(store, ann)).toBeNull();
});

test("The browser in which it is turned on gets a new cookie", async () => {
  const { store, cookie, turnOn } = await withAnn();
  const done = await turnOn();
  expect(await findBrowserSession(store, cookie, NOON)).toBeNull();
  expect(await findBrowserSession(store, done?.cookie ?? "", NOON)).toMatchObject({
    needsCode: true,
  });
});

test("A code counts once, and none before it counts any more", async () => {
  const { store, ann, turnOn } = await withAnn();
  expect(await useSecondFactor(store, ann, code(0), NOON)).toBe("wrong");
  await turnOn();
  const seen = [];
  for (const typed of [code(0), code(1), code(1), code(-1), code(2)])
    seen.push(await useSecondFactor(store, ann, typed, NOON));
  expect(seen).toEqual(["used", "good", "used", "used", "wrong"]);
});

test("A recovery code is its own account's alone", async () => {
  const { store, ann, turnOn } = await withAnn();
  const bob = await accountFor(store, "bob@example.org");
  await createBrowserSession(store, bob, SIGN_IN, random, NOON);
  const [visit] = await listBrowserSessions(store, bob, NOON);
  await turnOnAuthenticator(store, bob, visit?.id ?? "", MADE, random, NOON);
  const [recovery = ""] = (await turnOn())?.codes ?? [];
  expect(await useSecondFactor(store, bob, recovery, NOON)).toBe("wrong");
  expect(await useSecondFactor(store, ann, recovery, NOON)).toBe("good");
  expect(await useSecondFactor(store, ann, recovery, NOON)).toBe("wrong");
  expect(await findAuthenticator(store, ann)).toEqual({ createdAt: NOON, codesLeft: 9 });
});

test("A password that was checked just before the factor was turned on signs nobody in", async () => {
  const { store, ann, turnOn } = await withAnn();
  await setPassword(store, "ann@example.org", "hash", { browserSessionId: null }, NOON);
  const fitting = { accountId: ann, passwordHash: "hash" };
  const signIn = (withCode: boolean) =>
    createBrowserSessionByPassword(store, fitting, withCode, SIGN_IN, random, NOON);
  expect(await signIn(false)).not.toBeNull();
  const cookie = await createBrowserSession(store, ann, SIGN_IN, random, NOON);
  const found = await findBrowserSession(store, cookie, NOON);
  const keep = found?.browserSession.id ?? "";
  await turnOnAuthenticator(store, ann, keep, MADE, random, NOON);
  expect(await signIn(false)).toBeNull();
  expect(await signIn(true)).not.toBeNull();
  expect(await turnOn()).toBeNull();
});

test("The command turns it off and signs out every browser", async () => {
  const { store, ann, turnOn } = await withAnn();
  await turnOn();
  expect(await turnOffAuthenticatorOf(store, "ann@example.org", NOON)).toBe(true);
  expect(await listBrowserSessions(store, ann, NOON)).toEqual([]);
  expect(await findAuthenticator(store, ann)).toBeNull();
  expect(await turnOffAuthenticatorOf(store, "ann@example.org", NOON)).toBe(false);
});

test("An owner who takes over an account by the set-up code is not asked for its old app", async () => {
  const { store, ann, turnOn } = await withAnn();
  await turnOn();
  const setUp = await issueSetUpCode(store, random, NOON);
  const joining = {
    code: setUp,
    email: "ann@example.org",
    passwordHash: "h",
    plan: "pro",
  } as const;
  await setUpOwner(store, joining, SIGN_IN, random, NOON);
  expect(await findAuthenticator(store, ann)).toBeNull();
});

test.each(["before", "after"] as const)(
  "A restored backup from %s the app was set up keeps the app, and the codes that are left",
  async (when) => {
    const { store, ann, turnOn } = await withAnn();
    const backup = join(directoryForTest(), "backup.db");
    if (when === "before") writeBackup(store.directory, backup);
    const codes = (await turnOn())?.codes ?? [];
    if (when === "after") writeBackup(store.directory, backup);
    expect(await useSecondFactor(store, ann, codes[0] ?? "", NOON)).toBe("good");
    expect(await useSecondFactor(store, ann, code(1), NOON)).toBe("good");
    await store.close();
    await restoreBackup(store.directory, backup, NOON);
    const restored = await again(store);
    expect(await findAuthenticator(restored, ann)).toEqual({ createdAt: NOON, codesLeft: 9 });
    expect(await useSecondFactor(restored, ann, code(1), NOON)).toBe("used");
    expect(await useSecondFactor(restored, ann, codes[0] ?? "", NOON)).toBe("wrong");
  },
);

test("A restored backup does not bring back an app that was turned off", async () => {
  const { store, ann, visit, turnOn } = await withAnn();
  await turnOn();
  const backup = join(directoryForTest(), "backup.db");
  writeBackup(store.directory, backup);
  await turnOffAuthenticator(store, ann, visit, NOON);
  await addAccount(store, "eve@example.org", { plan: "pro", passwordHash: null }, NOON);
  await store.close();
  await restoreBackup(store.directory, backup, NOON);
  const restored = await again(store);
  expect(await findAuthenticator(restored, ann)).toBeNull();
  expect(await findAccount(restored, "eve@example.org")).toBeNull();
});
