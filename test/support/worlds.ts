import { afterAll } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { addAccount } from "../../src/db/people/accounts.ts";
import { restoreBackup, writeBackup } from "../../src/db/sqlite/files/backup.ts";
import { openStore, type Store } from "../../src/db/store.ts";
import { prepared } from "../../src/db/sqlite/orm.ts";
import { record } from "../../src/db/schema/records.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import type { Clock } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { actAsOwner, callAgent } from "./agents.ts";
import { NOON, testClock } from "./server.ts";
import { storeWire } from "./wire.ts";
import type { StoredRow, World } from "./world.ts";

/**
 * Copies a data directory as `kill -9` leaves it: what the process held in memory is gone, and so
 * are its locks, but what it wrote into the files is there.
 */
export const copyAsKilled = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const file of ["docket.db", "docket.db-wal"])
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
};

const selectRows = prepared((orm) =>
  orm
    .select({
      table: record.table,
      id: record.id,
      updated: record.updated,
      updated_at: record.updatedAt,
      deleted_at: record.deletedAt,
      changedAt: record.changedAt,
      createdBy: record.createdBy,
      createdByKey: record.createdByKey,
      filed: record.filed,
      payload: record.payload,
    })
    .from(record)
    .where(eq(record.accountId, sql.placeholder("accountId")))
    .orderBy(sql`rowid`)
    .prepare(),
);

/** All records of an account, read directly from the table, in the order in which they came. */
export const storedRows = (store: Store, accountId: number): readonly StoredRow[] =>
  selectRows(store.reader)
    .all({ accountId })
    .map(({ payload, filed, ...row }) => ({
      ...row,
      filed: JSON.parse(filed ?? "[]") as StoredRow["filed"],
      payload: JSON.parse(payload) as StoredRow["payload"],
    }));

/**
 * Time for a world with clocks that can be set: the true time, and the server's, which can be off.
 */
export const worldTime = () => {
  const clock = testClock();
  let time = NOON;
  return {
    clock,
    time: () => time,
    wait: (ms: number) => {
      time += ms;
      clock.advance(ms);
    },
    setClock: (off: number) => clock.set(time + off),
  };
};

/**
 * A directory for the worlds of a test file, removed when it is done. A crash is a copy of the
 * files, so a disk that really syncs would only add waiting: the directory is in memory if the
 * system has room for that.
 */
export const worldDirectory = (): string => {
  const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const directory = mkdtempSync(join(memory, "docket-worlds-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** A person with three devices that are signed in. */
export type Household = { readonly accountId: number; readonly sessions: readonly string[] };

/** Creates a data directory with that person in it. */
export const settleHousehold = async (directory: string): Promise<Household> => {
  const store = openStore({ directory, role: "server", now: NOON });
  const options = { plan: "pro", passwordHash: null } as const;
  const { id: accountId } = await addAccount(store, "ann@example.org", options, NOON);
  const sessions: string[] = [];
  for (const name of ["laptop", "phone", "tablet"]) {
    const { session } = await createSession(store, accountId, name, cryptoRandom, NOON);
    sessions.push(session.id);
  }
  await store.close();
  return { accountId, sessions };
};

/** What devices, agents and the person do to an open store. */
export const handsOn = (
  { accountId, sessions }: Household,
  store: () => Store,
  { wall }: Clock,
): Pick<World, "agent" | "inside" | "stored" | "wire"> => {
  const sessionOf = (device: number): string => sessions[device] ?? "";
  return {
    wire: (device, meanwhile) =>
      storeWire({ store, accountId, sessionId: sessionOf(device), now: wall }, meanwhile),
    agent: (call) => callAgent(store(), accountId, call, wall()),
    stored: async () => storedRows(store(), accountId),
    inside: {
      store,
      accountId,
      wall,
      sessionOf,
      rows: async () => storedRows(store(), accountId),
      owner: (act, pick) => actAsOwner(store(), accountId, act, pick, wall()),
    },
  };
};

/** Worlds with their own files, without HTTP. */
export const startStoreWorlds = async (root: string): Promise<() => World> => {
  const template = join(root, "template");
  const household = await settleHousehold(template);
  let worlds = 0;
  return () => startStoreWorld(template, join(root, String((worlds += 1))), household);
};

const startStoreWorld = (template: string, root: string, household: Household): World => {
  const { clock, ...time } = worldTime();
  let lives = 0;
  const directory = () => join(root, String(lives));
  const open = (): Store =>
    openStore({ directory: directory(), role: "server", now: clock.wall() });
  copyAsKilled(template, directory());
  let store = open();
  const backup = join(root, "backup.db");
  let backups = 0;
  return {
    ...time,
    ...handsOn(household, () => store, clock),
    crash: async () => {
      const killed = { store, directory: directory() };
      lives += 1;
      copyAsKilled(killed.directory, directory());
      await killed.store.close();
      rmSync(killed.directory, { recursive: true });
      store = open();
    },
    restart: async () => {
      await store.close();
      store = open();
    },
    backUp: async () => void writeBackup(directory(), `${backup}.${(backups += 1)}`),
    restore: async () => {
      if (backups === 0) return false;
      await store.close();
      restoreBackup(directory(), `${backup}.${backups}`, clock.wall());
      store = open();
      return true;
    },
    end: async () => {
      await store.close();
      rmSync(root, { recursive: true });
    },
  };
};
