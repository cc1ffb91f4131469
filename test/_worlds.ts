import { afterAll } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { addAccount } from "../src/db/accounts.ts";
import { restoreBackup, writeBackup } from "../src/db/backup.ts";
import { addNote, createTask, fileTabs, patchTask } from "../src/db/edits.ts";
import { fileInbox } from "../src/db/inbox.ts";
import { openStore, type Store } from "../src/db/open.ts";
import { record } from "../src/db/schema.ts";
import type { Instant } from "../src/instant.ts";
import { Refusal } from "../src/refusal.ts";
import type { Row } from "./_client.ts";
import type { AgentAct } from "./_histories.ts";
import { NOON, testClock } from "./_server.ts";
import type { World } from "./_simulate.ts";
import { storeWire } from "./_wire.ts";

/**
 * Copies a data directory as `kill -9` leaves it: whatever the process held in memory is gone, its
 * locks too, and what it wrote into the files is there.
 */
export const copyAsKilled = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const file of ["docket.db", "docket.db-wal"])
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
};

/** All records of an account, straight from the table, in the order in which they came. */
export const storedRows = (store: Store, accountId: number): readonly Row[] =>
  store.reader
    .select()
    .from(record)
    .where(eq(record.accountId, accountId))
    .orderBy(sql`rowid`)
    .all()
    .map(({ table, id, updatedAt, deletedAt, payload }) => ({
      table,
      id,
      updated_at: updatedAt,
      deleted_at: deletedAt,
      payload: JSON.parse(payload) as Row["payload"],
    }));

/** Time for a world whose clocks are set: the true one, and the server's, which can be off. */
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
 * A place for the worlds of a test file, removed when it is done. A crash is a copy of the files, so a
 * disk that really syncs would only add waiting: it lies in memory where the system has room for that.
 */
export const worldDirectory = (): string => {
  const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const directory = mkdtempSync(join(memory, "docket-worlds-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** Worlds without HTTP, for thousands of histories. */
export const startStoreWorlds = async (root: string): Promise<() => World> => {
  const template = join(root, "template");
  const store = openStore({ directory: template, role: "server", now: NOON });
  const options = { plan: "pro", passwordHash: null } as const;
  const { id: accountId } = await addAccount(store, "ann@example.org", options, NOON);
  await store.close();
  let worlds = 0;
  return () => startStoreWorld(template, join(root, String((worlds += 1))), accountId);
};

const startStoreWorld = (template: string, root: string, accountId: number): World => {
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
    wire: (_device, meanwhile) => storeWire(() => store, accountId, clock.wall, meanwhile),
    agent: (act, pick, text) => agentWrites(store, accountId, act, pick, text, clock.wall()),
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
    backUp: async () => writeBackup(directory(), `${backup}.${(backups += 1)}`),
    restore: async () => {
      if (backups === 0) return;
      await store.close();
      restoreBackup(directory(), `${backup}.${backups}`, clock.wall());
      store = open();
    },
    stored: async () => storedRows(store, accountId),
    end: async () => {
      await store.close();
      rmSync(root, { recursive: true });
    },
  };
};

const BOT = { kind: "api_key", id: "key-1", name: "bot" } as const;

const agentWrites = async (
  store: Store,
  accountId: number,
  act: AgentAct,
  pick: number,
  text: string,
  now: Instant,
): Promise<void> => {
  const tabs = [{ url: `https://example.org/${encodeURIComponent(text)}`, title: text }];
  const tasks = storedRows(store, accountId).filter(({ table }) => table === "sync_tasks");
  const id = tasks[pick % tasks.length]?.id ?? "none";
  const draft = { title: text, tabs, notes: [text] };
  try {
    if (act === "task") await createTask(store, accountId, draft, BOT, now);
    if (act === "tabs") await fileTabs(store, accountId, id, tabs, BOT, now);
    if (act === "note") await addNote(store, accountId, id, text, BOT, now);
    if (act === "inbox") await fileInbox(store, accountId, tabs, BOT, now);
    if (act === "patch") {
      const change = { patch: { title: text }, ifMatch: null };
      await patchTask(store, accountId, id, change, BOT, now);
    }
  } catch (error) {
    // A deleted task, or one in the trash, is not there for an agent.
    if (!(error instanceof Refusal && error.reason === "not_found")) throw error;
  }
};
