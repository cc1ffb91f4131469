import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import {
  disableAccount,
  findAccount,
  readPasswordHash,
  setPassword,
} from "../../../../src/db/people/accounts.ts";
import { restoreBackup, writeBackup } from "../../../../src/db/sqlite/files/backup.ts";
import { carryOver } from "../../../../src/db/sqlite/files/carry-over.ts";
import {
  createBrowserSession,
  findBrowserSession,
  isKnownBrowser,
  rememberBrowser,
} from "../../../../src/db/people/browser-sessions.ts";
import { authenticate } from "../../../../src/db/people/credentials.ts";
import { endBrowserSession } from "../../../../src/db/people/revocation.ts";
import {
  linkIdentity,
  listIdentities,
  unlinkIdentity,
} from "../../../../src/db/people/identities.ts";
import { createKey, replaceKey, revokeKey } from "../../../../src/db/people/api-keys.ts";
import { addPasskey, listPasskeys, removePasskey } from "../../../../src/db/people/passkeys.ts";
import { createSession, revokeSession } from "../../../../src/db/people/sessions.ts";
import { issuePairing, redeemPairing } from "../../../../src/db/people/sign-ins.ts";
import { readTaskView, taskChildren } from "../../../../src/db/records/lookup.ts";
import { DAY, HOUR } from "../../../../src/domain/base/instant.ts";
import { cryptoRandom as random } from "../../../../src/domain/base/secret.ts";
import { NOON } from "../../../support/server.ts";
import { overwriteRest } from "../../../support/faults/damage.ts";
import {
  accountFor,
  ask,
  BOT,
  databaseFile,
  directoryForTest,
  openForTest,
  pushTask,
  recordOf,
  type TestStore,
} from "../../../support/db/store.ts";
import { fileTabs, pushChanges } from "../../../support/rules.ts";

const WISH = { name: "bot", scopes: ["read"], restriction: null, expiresAt: null } as const;
const ARRIVAL = { method: "password", client: null, address: "127.0.0.1" } as const;

const two = async <T>(make: (name: string) => Promise<T>) =>
  [await make("1"), await make("2")] as const;

/** ann and bob, each with two of every credential. */
const world = async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await accountFor(store, "bob@example.org");
  await setPassword(store, "ann@example.org", "old", { browserSessionId: null }, NOON);
  const keys = await two(() => createKey(store, ann, WISH, random, NOON));
  const sessions = await two((name) => createSession(store, ann, name, random, NOON));
  const browserSessions = await two(() => createBrowserSession(store, ann, ARRIVAL, random, NOON));
  const [browserSession] = ask<{ id: string }>(
    store.directory,
    "SELECT id FROM visit ORDER BY rowid",
  );
  const codes = await two(() => issuePairing(store, ann, browserSession?.id ?? "", random, NOON));
  for (const id of ["1", "2"]) {
    const made = { id, name: id, host: "localhost", publicKey: new Uint8Array(), counter: 1 };
    await addPasskey(store, ann, made, NOON);
    await linkIdentity(
      store,
      ann,
      { issuer: `https://${id}.example`, subject: id, label: id },
      NOON,
    );
  }
  const browsers = await two(() => rememberBrowser(store, ann, null, random, NOON));
  await pushTask(store, ann, "t1", NOON);
  const backup = join(directoryForTest(), "backup.db");
  writeBackup(store.directory, backup);
  return { store, ann, keys, sessions, browserSessions, browserSession, codes, browsers, backup };
};

const restored = async (store: TestStore, backup: string, carried = true): Promise<TestStore> => {
  await store.close();
  expect((await restoreBackup(store.directory, backup, NOON)).carried).toBe(carried);
  return openForTest({ directory: store.directory });
};

const isIn = async (store: TestStore, token: string, now = NOON): Promise<boolean> =>
  (await authenticate(store, token, now)) !== null;

test("What was revoked, ended or used since a backup stays so when the backup is restored", async () => {
  const { store, ann, keys, sessions, browserSessions, browserSession, codes, backup } =
    await world();
  await revokeKey(store, null, keys[0].key.id, NOON);
  await revokeSession(store, null, sessions[0].session.id, NOON);
  await endBrowserSession(store, ann, browserSession?.id ?? "", NOON);
  await disableAccount(store, "bob@example.org", NOON);
  const again = await restored(store, backup);
  expect(await Promise.all(keys.map(({ secret }) => isIn(again, secret)))).toEqual([false, true]);
  expect(await Promise.all(sessions.map(({ secret }) => isIn(again, secret)))).toEqual([
    false,
    true,
  ]);
  const seen = await Promise.all(
    browserSessions.map((cookie) => findBrowserSession(again, cookie, NOON)),
  );
  expect(seen.map((found) => found !== null)).toEqual([false, true]);
  expect(await findAccount(again, "bob@example.org")).toMatchObject({ disabledAt: NOON });
  expect(await findAccount(again, "ann@example.org")).toMatchObject({ disabledAt: null });
  // They died with the browser that made them.
  expect(await statesOf(again, codes)).toEqual(["unknown", "unknown"]);
});

const statesOf = (store: TestStore, codes: readonly { readonly code: string }[]) =>
  Promise.all(
    codes.map(async ({ code }) => (await redeemPairing(store, code, "tablet", random, NOON)).state),
  );

test("A code that was used since a backup cannot be used again when the backup is restored", async () => {
  const { store, codes, backup } = await world();
  await redeemPairing(store, codes[0].code, "phone", random, NOON);
  expect(await statesOf(await restored(store, backup), codes)).toEqual(["used", "good"]);
});

test("Ways to sign in that were removed since a backup do not come back", async () => {
  const { store, ann, keys, browsers, backup } = await world();
  await replaceKey(store, ann, keys[0].key.id, DAY, random, NOON);
  await removePasskey(store, ann, "1");
  await unlinkIdentity(store, ann, "https://1.example", "1");
  ask(store.directory, "DELETE FROM known_browser WHERE rowid = 1");
  ask(store.directory, "DELETE FROM code WHERE rowid = 1");
  await setPassword(store, "bob@example.org", "new", { browserSessionId: null }, NOON);
  ask(store.directory, "UPDATE account SET password_hash = 'new' WHERE id = ?", ann);
  const again = await restored(store, backup);
  expect((await listPasskeys(again, ann)).map(({ id }) => id)).toEqual(["2"]);
  expect((await listIdentities(again, ann)).map(({ subject }) => subject)).toEqual(["2"]);
  const known = browsers.map((cookie) => isKnownBrowser(again, ann, cookie));
  expect(await Promise.all(known)).toEqual([false, true]);
  expect(ask(again.directory, "SELECT count(*) AS codes FROM code")).toEqual([{ codes: 1 }]);
  expect(await readPasswordHash(again, ann)).toBe("new");
  const worksAt = (now: number) => Promise.all(keys.map(({ secret }) => isIn(again, secret, now)));
  expect(await worksAt(NOON + DAY - HOUR)).toEqual([true, true]);
  expect(await worksAt(NOON + DAY + HOUR)).toEqual([false, true]);
});

test("What was created since a backup is not there after it is restored", async () => {
  const { store, ann, backup } = await world();
  const key = await createKey(store, ann, WISH, random, NOON);
  const session = await createSession(store, ann, "phone", random, NOON);
  await accountFor(store, "carol@example.org");
  const again = await restored(store, backup);
  expect(await isIn(again, key.secret)).toBe(false);
  expect(await isIn(again, session.secret)).toBe(false);
  expect(await findAccount(again, "carol@example.org")).toBeNull();
});

test("A tab that a key filed since a backup is the key's when a device sends it again", async () => {
  const { store, ann, backup } = await world();
  const tab = { url: "https://a.example/", title: "A" };
  const { payload } = await fileTabs(store, ann, "t1", [tab], BOT, NOON);
  const again = await restored(store, backup);
  const held = JSON.parse(payload) as object;
  await pushChanges(
    again,
    ann,
    { sessionId: "s" },
    [recordOf("t1", NOON + HOUR, held)],
    NOON + HOUR,
  );
  const { tabs } = taskChildren(await readTaskView(again, ann, null, "t1"));
  expect(tabs).toMatchObject([{ title: "A", created_by: "agent", created_by_key: "bot" }]);
});

test("The backup of another server is restored as it is", async () => {
  const { store, keys, backup } = await world();
  const other = await openForTest();
  await accountFor(other);
  await store.close();
  const again = await restored(other, backup);
  expect(await listPasskeys(again, 1)).toHaveLength(2);
  expect(await Promise.all(keys.map(({ secret }) => isIn(again, secret)))).toEqual([true, true]);
});

test("A restore over data that cannot be read says that nothing was carried over", async () => {
  const { store, keys, backup } = await world();
  await revokeKey(store, null, keys[0].key.id, NOON);
  await store.close();
  overwriteRest(databaseFile(store.directory));
  const again = await restored(store, backup, false);
  expect(await Promise.all(keys.map(({ secret }) => isIn(again, secret)))).toEqual([true, true]);
});

test("What was revoked stays revoked in a backup of a version that lacked some tables", async () => {
  const { store, keys, backup } = await world();
  const older = directoryForTest();
  copyFileSync(backup, databaseFile(older));
  ask(older, "DROP TABLE passkey");
  await revokeKey(store, null, keys[0].key.id, NOON);
  await store.close();
  using into = new Database(databaseFile(older));
  using from = new Database(databaseFile(store.directory));
  expect(carryOver(into, from)).toBe(true);
  expect(ask(older, "SELECT revoked_at FROM api_key ORDER BY rowid")).toEqual([
    { revoked_at: NOON },
    { revoked_at: null },
  ]);
});
