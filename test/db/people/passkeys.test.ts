import { expect, test } from "bun:test";
import { disableAccount } from "../../../src/db/people/accounts.ts";
import {
  addPasskey,
  findPasskey,
  listPasskeys,
  removePasskey,
  usePasskey,
} from "../../../src/db/people/passkeys.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, openForTest } from "../../support/db/store.ts";

const made = (id: string, counter = 1) => ({
  id,
  counter,
  name: "phone",
  host: "localhost",
  publicKey: new Uint8Array([1, 2, 3]),
});

test("A passkey's counter is accepted once, however many responses carry it", async () => {
  const store = await openForTest();
  await addPasskey(store, await accountFor(store), made("a"), NOON);
  const uses = await Promise.all(
    [2, 2, 3, 3].map((counter) => usePasskey(store, "a", counter, NOON)),
  );
  expect(uses).toEqual([true, false, true, false]);
  expect(await usePasskey(store, "unknown", 9, NOON)).toBe(false);
});

test("A passkey of a disabled account is not found and cannot be used", async () => {
  const store = await openForTest();
  await addPasskey(store, await accountFor(store), made("a"), NOON);
  expect(await findPasskey(store, "a")).toMatchObject({ ...made("a"), lastUsedAt: null });
  await disableAccount(store, "ann@example.org", NOON);
  expect([await findPasskey(store, "a"), await usePasskey(store, "a", 2, NOON)]).toEqual([
    null,
    false,
  ]);
});

test("Of twenty-five passkeys added at once, twenty are stored", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const tries = Array.from({ length: 25 }, (_, count) =>
    addPasskey(store, ann, made(`${count}`), NOON),
  );
  const ends = await Promise.allSettled(tries);
  expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(20);
  expect((await listPasskeys(store, ann)).length).toBe(20);
});

test("Only a passkey's own account can remove it", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const bob = await accountFor(store, "bob@example.org");
  await addPasskey(store, ann, made("a"), NOON);
  await removePasskey(store, bob, "a");
  expect((await listPasskeys(store, ann)).map(({ id }) => id)).toEqual(["a"]);
  await removePasskey(store, ann, "a");
  expect(await listPasskeys(store, ann)).toEqual([]);
});
