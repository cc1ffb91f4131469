import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { addAccount, findAccount } from "../../../src/db/people/accounts.ts";
import { createKey } from "../../../src/db/people/api-keys.ts";
import { authenticate } from "../../../src/db/people/credentials.ts";
import {
  finishDeletions,
  OWNER_STAYS,
  purgeAccount,
  shutAccount,
} from "../../../src/db/people/deletion.ts";
import { cryptoRandom as random } from "../../../src/domain/base/secret.ts";
import { NOON } from "../../support/server.ts";
import { accountFor, openForTest, pushTask, type TestStore } from "../../support/db/store.ts";

const WISH = { name: "bot", scopes: ["read"], restriction: null, expiresAt: null } as const;

type Column = { name: string; type: string; notnull: number; pk: number };

const onData = <T>({ directory }: TestStore, work: (data: Database) => T): T => {
  const data = new Database(join(directory, "docket.db"));
  try {
    return work(data);
  } finally {
    data.close();
  }
};

/** Every table that holds rows of accounts, by its column. */
const ownedTables = (data: Database): readonly string[] =>
  data
    .query<{ name: string }, []>(
      `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'account_id' ORDER BY m.name`,
    )
    .all()
    .map(({ name }) => name);

/** Puts a row of the account into a table, whatever its columns are. */
const putRow = (data: Database, table: string, account: number, unique: string): void => {
  const columns = data.query<Column, []>(`SELECT * FROM pragma_table_info('${table}')`).all();
  const needed = columns.filter(
    ({ name, notnull, pk }) => notnull === 1 || pk > 0 || name === "account_id",
  );
  const value = ({ name, type }: Column): string => {
    if (name === "account_id") return String(account);
    if (name === "scopes") return "'read'";
    if (type === "INTEGER") return name === "id" ? "NULL" : "1";
    return type === "BLOB" ? `CAST('${unique}' AS BLOB)` : `'${unique}'`;
  };
  const names = needed.map(({ name }) => name).join(", ");
  data.run(`INSERT INTO ${table} (${names}) VALUES (${needed.map(value).join(", ")})`);
};

const rowsOf = (store: TestStore, account: number): Readonly<Record<string, number>> =>
  onData(store, (data) => {
    const own = ownedTables(data).map((table) => [table, `account_id = ${account}`] as const);
    const all = [...own, ["kept_reply", `path = 'of ${account}'`] as const];
    return Object.fromEntries(
      all.map(([table, which]) => [
        table,
        Number(data.query(`SELECT count(*) FROM ${table} WHERE ${which}`).values()[0]?.[0]),
      ]),
    );
  });

/** Ann and bob, each with at least one row in every table there is. */
const world = async () => {
  const store = await openForTest();
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  for (const account of [ann, bob]) {
    await pushTask(store, account, "t1", NOON);
    const { key } = await createKey(store, account, WISH, random, NOON);
    onData(store, (data) => {
      for (const table of ownedTables(data)) putRow(data, table, account, `u${account}`);
      data.run(
        `INSERT INTO kept_reply (credential_id, method, path, idempotency_key, body_hash, at, status, body)
         VALUES (?, 'POST', ?, 'k', 'h', 1, 200, '{}')`,
        [key.id, `of ${account}`],
      );
    });
  }
  return { store, ann, bob };
};

test("Nothing of a deleted account is left in any table, and nothing of another account goes", async () => {
  const { store, ann, bob } = await world();
  onData(store, (data) =>
    data.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO mass_deletion (account_id, at, stamp, records) SELECT ${ann}, i, i, 1 FROM n`,
    ),
  );
  const [before, others] = [rowsOf(store, ann), rowsOf(store, bob)];
  for (const count of Object.values(before)) expect(count).toBeGreaterThan(0);
  expect(Object.keys(before).length).toBeGreaterThan(14);
  expect(await shutAccount(store, ann, NOON)).toBe(true);
  await purgeAccount(store, ann);
  const none = Object.fromEntries(Object.keys(before).map((table) => [table, 0]));
  expect(rowsOf(store, ann)).toEqual(none);
  expect(rowsOf(store, bob)).toEqual(others);
  expect(await findAccount(store, "ann@example.org")).toBeNull();
  expect(await findAccount(store, "bob@example.org")).not.toBeNull();
});

test("Its keys are refused and its address is free as soon as it is shut, before its rows are gone", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { secret } = await createKey(store, ann, WISH, random, NOON);
  expect(await authenticate(store, secret, NOON)).not.toBeNull();
  await shutAccount(store, ann, NOON);
  expect(await authenticate(store, secret, NOON)).toBeNull();
  const again = await addAccount(
    store,
    "ann@example.org",
    { plan: "pro", passwordHash: null },
    NOON,
  );
  await purgeAccount(store, ann);
  expect(await findAccount(store, "ann@example.org")).toEqual(again);
  expect(await shutAccount(store, ann, NOON)).toBe(false);
});

test("What a server left when it ended is deleted later", async () => {
  const { store, ann, bob } = await world();
  await shutAccount(store, ann, NOON);
  expect(await shutAccount(store, ann, NOON)).toBe(false);
  await finishDeletions(store);
  expect(new Set(Object.values(rowsOf(store, ann)))).toEqual(new Set([0]));
  expect(rowsOf(store, bob)["record"]).toBeGreaterThan(0);
});

test("The owner's account cannot be deleted", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  onData(store, (data) => data.run("UPDATE account SET owner = 1"));
  await expect(shutAccount(store, ann, NOON)).rejects.toThrow(OWNER_STAYS);
  expect(await findAccount(store, "ann@example.org")).not.toBeNull();
});
