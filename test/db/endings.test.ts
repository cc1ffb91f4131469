import { expect, test } from "bun:test";
import { addAccount, setPassword } from "../../src/db/accounts.ts";
import { isKnownBrowser, knowBrowser } from "../../src/db/browsers.ts";
import { findCode, insertCode, useCode } from "../../src/db/codes.ts";
import { authenticate } from "../../src/db/credentials.ts";
import { countTry } from "../../src/db/failures.ts";
import { pruneVisits } from "../../src/db/endings.ts";
import { createKey } from "../../src/db/keys.ts";
import { createSession, listSessions } from "../../src/db/sessions.ts";
import { createVisit, findVisit, listVisits } from "../../src/db/visits.ts";
import { DAY, MINUTE, SECOND } from "../../src/instant.ts";
import { cryptoRandom } from "../../src/secret.ts";
import { refused } from "../_refused.ts";
import { NOON } from "../_server.ts";
import { openForTest, type TestStore } from "./_store.ts";

const ARRIVAL = { method: "password", client: null, address: "192.0.2.1" } as const;
const SCOPES = ["read", "write"] as const;

/** All that one person may be signed in with. */
const everythingOf = async (store: TestStore, email: string) => {
  const account = await addAccount(store, email, { plan: "pro", passwordHash: "old" }, NOON);
  const { id } = account;
  const wish = { name: "bot", scopes: SCOPES, leash: null, expiresAt: null };
  const code = `${email}'s pairing code`;
  await store.writer.write((tx) => insertCode(tx, "pairing", code, { accountId: id }, NOON));
  return {
    id,
    code,
    here: await createVisit(store, id, ARRIVAL, cryptoRandom, NOON),
    elsewhere: await createVisit(store, id, ARRIVAL, cryptoRandom, NOON),
    known: await knowBrowser(store, id, null, cryptoRandom, NOON),
    session: (await createSession(store, id, "laptop", cryptoRandom, NOON)).secret,
    key: (await createKey(store, id, wish, cryptoRandom, NOON)).secret,
  };
};

type Everything = Awaited<ReturnType<typeof everythingOf>>;

/** What of it still works. */
const working = async (store: TestStore, all: Everything) => {
  const { state } = await store.writer.write((tx) => findCode(tx, "pairing", all.code, NOON));
  const works = {
    here: await findVisit(store, all.here, NOON),
    elsewhere: await findVisit(store, all.elsewhere, NOON),
    known: await isKnownBrowser(store, all.id, all.known),
    session: authenticate(store, all.session, NOON),
    code: state === "good",
    key: authenticate(store, all.key, NOON),
  };
  return Object.entries(works).flatMap(([name, is]) => (is ? [name] : []));
};

const EVERYTHING = ["here", "elsewhere", "known", "session", "code", "key"];

test("visits are forgotten long after they are over, and not before", async () => {
  const store = openForTest();
  const { here } = await everythingOf(store, "ann@example.org");
  await pruneVisits(store, NOON + 180 * DAY);
  expect(await findVisit(store, here, NOON)).not.toBeNull();
  await pruneVisits(store, NOON + 180 * DAY + 1);
  expect(await findVisit(store, here, NOON)).toBeNull();
});

test("a new password ends all that its person was signed in with, but not their keys, and nobody else's", async () => {
  const store = openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  const bob = await everythingOf(store, "bob@example.org");
  expect(await working(store, ann)).toEqual(EVERYTHING);
  await setPassword(store, "ann@example.org", "new", { visitId: null }, NOON);
  expect(await working(store, ann)).toEqual(["key"]);
  expect(await working(store, bob)).toEqual(EVERYTHING);
});

test("the browser in which it was changed stays signed in", async () => {
  const store = openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  const visitId = (await findVisit(store, ann.here, NOON))?.visit.id ?? null;
  await setPassword(store, "ann@example.org", "new", { visitId }, NOON);
  expect(await working(store, ann)).toEqual(["here", "key"]);
  expect((await listVisits(store, ann.id, NOON)).map(({ id }) => id)).toEqual([visitId ?? ""]);
});

test("keeping a visit of someone else keeps nothing", async () => {
  const store = openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  const bob = await everythingOf(store, "bob@example.org");
  const visitId = (await findVisit(store, bob.here, NOON))?.visit.id ?? null;
  await setPassword(store, "ann@example.org", "new", { visitId }, NOON);
  expect(await working(store, ann)).toEqual(["key"]);
});

test("what had ended before keeps its time, and used codes are still known as used", async () => {
  const store = openForTest();
  const ann = await everythingOf(store, "ann@example.org");
  await store.writer.write((tx) => {
    const { row } = findCode(tx, "pairing", ann.code, NOON);
    useCode(tx, row?.id ?? "", null, NOON);
  });
  for (const at of [NOON + SECOND, NOON + MINUTE])
    await setPassword(store, "ann@example.org", "new", { visitId: null }, at);
  expect((await listSessions(store, ann.id))[0]?.revokedAt).toBe(NOON + SECOND);
  const found = await store.writer.write((tx) => findCode(tx, "pairing", ann.code, NOON));
  expect(found.state).toBe("used");
});

test("whoever guessed at the old password keeps nobody waiting who has the new one", async () => {
  const store = openForTest();
  await everythingOf(store, "ann@example.org");
  const ann = [{ kind: "email", name: "ann@example.org" }] as const;
  const bob = [{ kind: "email", name: "bob@example.org" }] as const;
  for (let tries = 0; tries < 10; tries++) {
    await countTry(store, ann, NOON);
    await countTry(store, bob, NOON);
  }
  await setPassword(store, "ann@example.org", "new", { visitId: null }, NOON);
  await countTry(store, ann, NOON);
  expect((await refused(() => countTry(store, bob, NOON))).reason).toBe("too_many");
});
