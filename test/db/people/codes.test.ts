import { describe, expect, test } from "bun:test";
import { CODE_LIFETIME, type CodePurpose, mintCode } from "../../../src/domain/people/code.ts";
import {
  type CodeGrant,
  deleteCodes,
  findCode,
  insertCode,
  useCode,
} from "../../../src/db/people/codes.ts";
import { DAY, type Instant, MINUTE } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, ask, openForTest, type TestStore } from "../../support/db/store.ts";

const NOBODY: CodeGrant = { accountId: null };

const give = async (
  store: TestStore,
  purpose: CodePurpose,
  grant: CodeGrant = NOBODY,
  now: Instant = NOON,
): Promise<string> => {
  const code = mintCode("setup", cryptoRandom);
  await store.writer.write((tx) => insertCode(tx, purpose, code, grant, now));
  return code;
};

const look = (store: TestStore, purpose: CodePurpose, code: string, now: Instant = NOON) =>
  store.writer.write((tx) => findCode(tx, purpose, code, now));

describe("A code", () => {
  test("is found with what it grants, and only its digest is stored", async () => {
    const store = await openForTest();
    const accountId = await accountFor(store);
    const grant = { accountId, redirectUri: "https://a.example/", challenge: "c", deviceName: "d" };
    const code = await give(store, "oauth", grant);
    expect(await look(store, "oauth", code)).toMatchObject({ state: "good", row: grant });
    const rows = JSON.stringify(ask(store.directory, "SELECT *, hex(digest) FROM code"));
    for (const part of code.split("-")) expect(rows).not.toContain(`"${part}`);
    expect(rows).not.toContain(code);
  });

  test.each(["invitation", "oauth", "pairing", "setup"] as const)(
    "for %s is valid until its lifetime ends, and not at that moment",
    async (purpose) => {
      const store = await openForTest();
      const code = await give(store, purpose);
      const end = NOON + CODE_LIFETIME[purpose];
      expect((await look(store, purpose, code, end - 1)).state).toBe("good");
      expect(await look(store, purpose, code, end)).toEqual({ state: "expired", row: null });
    },
  );

  test("is valid for its own purpose only", async () => {
    const store = await openForTest();
    const code = await give(store, "pairing");
    for (const purpose of ["invitation", "oauth", "setup"] as const)
      expect(await look(store, purpose, code)).toEqual({ state: "unknown", row: null });
  });

  test("that was used is reported as used with its session, even after it would have expired", async () => {
    const store = await openForTest();
    const code = await give(store, "oauth");
    const { row } = await look(store, "oauth", code);
    await store.writer.write((tx) => useCode(tx, row?.id ?? "", "s1", NOON));
    for (const now of [NOON, NOON + MINUTE])
      expect(await look(store, "oauth", code, now)).toMatchObject({
        state: "used",
        row: { sessionId: "s1", usedAt: NOON },
      });
  });

  test("gets no more time when the clock is set back", async () => {
    const store = await openForTest();
    const code = await give(store, "setup");
    expect((await look(store, "setup", code, NOON - 2 * DAY)).state).toBe("expired");
  });

  test("that was never issued is unknown", async () => {
    const store = await openForTest();
    await give(store, "setup");
    for (const other of ["", mintCode("setup", cryptoRandom)])
      expect(await look(store, "setup", other)).toEqual({ state: "unknown", row: null });
  });
});

test("Codes are deleted a day after they expire, when another one is created", async () => {
  const store = await openForTest();
  const old = await give(store, "setup");
  const kept = await give(store, "invitation");
  const now = NOON + CODE_LIFETIME.setup + DAY;
  await give(store, "setup", NOBODY, now);
  expect((await look(store, "setup", old, now)).state).toBe("expired");
  await give(store, "setup", NOBODY, now + 1);
  expect((await look(store, "setup", old, now)).state).toBe("unknown");
  expect((await look(store, "invitation", kept, now)).state).toBe("good");
});

test("Replacing codes deletes the unused ones of one purpose and one account only", async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const codes = {
    used: await give(store, "pairing", { accountId: ann }),
    unused: await give(store, "pairing", { accountId: ann }),
    bobs: await give(store, "pairing", { accountId: bob }),
    nobodys: await give(store, "pairing"),
  };
  const { row } = await look(store, "pairing", codes.used);
  await store.writer.write((tx) => useCode(tx, row?.id ?? "", null, NOON));
  const states = async () => {
    const found = Object.values(codes).map((code) => look(store, "pairing", code));
    return (await Promise.all(found)).map(({ state }) => state);
  };
  await store.writer.write((tx) => deleteCodes(tx, "invitation", ann));
  expect(await states()).toEqual(["used", "good", "good", "good"]);
  await store.writer.write((tx) => deleteCodes(tx, "pairing", ann));
  expect(await states()).toEqual(["used", "unknown", "good", "good"]);
  await store.writer.write((tx) => deleteCodes(tx, "pairing", null));
  expect(await states()).toEqual(["used", "unknown", "good", "unknown"]);
});
