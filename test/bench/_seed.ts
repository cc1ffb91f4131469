import { Glob } from "bun";
import { eq } from "drizzle-orm";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PERSON } from "../../src/domain/people/account.ts";
import { addAccount } from "../../src/db/people/accounts.ts";
import { createKey } from "../../src/db/people/api-keys.ts";
import { openStore } from "../../src/db/open.ts";
import type { Store } from "../../src/db/store.ts";
import { putRecords } from "../../src/db/records/put.ts";
import { account } from "../../src/db/schema/records.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { recordRow } from "../../src/domain/records/row.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { serialise } from "../../src/domain/base/payload.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { changesOf, type Size } from "./_data.ts";
import { type Progress } from "./_progress.ts";

const ROOT = join(import.meta.dir, "../..");

/** One account's data and credentials. */
export type Owner = {
  readonly tasks: number;
  readonly size: Size;
  readonly session: string;
  readonly keys: readonly string[];
};

/** A data directory with its accounts, by name. */
export type Seed = { readonly directory: string; readonly owners: Readonly<Record<string, Owner>> };

export type Plan = Readonly<Record<string, Planned>>;

type Planned = Pick<Owner, "size" | "tasks"> & { readonly keys?: number };

/** The limiter allows at most 100,000 calls per key and hour, so there are many keys. */
const KEYS = 24;

/** Records per transaction. */
const BATCH = 2_000;

/**
 * Creates a directory of this name with these accounts, or returns the existing one if whatever it
 * depends on is unchanged.
 */
export const seed = async (
  folder: string,
  name: string,
  plan: Plan,
  progress: Progress,
): Promise<Seed> => {
  const cache = join(folder, await version());
  const called = `${name}-${Bun.hash(JSON.stringify(plan)).toString(36)}`;
  const directory = join(cache, called);
  const credentials = join(cache, `${called}.json`);
  if (!existsSync(credentials)) {
    dropOthers(folder, cache);
    rmSync(directory, { recursive: true, force: true });
    const owners = await fill(directory, plan, progress);
    await Bun.write(`${directory}.new`, JSON.stringify(owners));
    renameSync(`${directory}.new`, credentials);
  }
  return { directory, owners: JSON.parse(readFileSync(credentials, "utf8")) as Seed["owners"] };
};

/** Changes with the rows' format and content; and every week, because sessions end. */
const version = async (): Promise<string> => {
  const hash = new Bun.CryptoHasher("sha256").update(String(Math.floor(Date.now() / (7 * DAY))));
  const files = [
    ...new Glob("drizzle/*.sql").scanSync(ROOT),
    "test/bench/_data.ts",
    "test/bench/_seed.ts",
    "src/db/sqlite/connection.ts",
  ];
  for (const file of files.toSorted()) hash.update(await Bun.file(join(ROOT, file)).bytes());
  return hash.digest("hex").slice(0, 16);
};

const dropOthers = (folder: string, cache: string): void => {
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(folder))
    if (join(folder, other) !== cache) rmSync(join(folder, other), { recursive: true });
};

const fill = async (directory: string, plan: Plan, progress: Progress): Promise<Seed["owners"]> => {
  const store = await openStore({ directory, role: "server", now: Date.now() });
  const owners: Record<string, Owner> = {};
  for (const [name, { tasks, size, keys: wanted = KEYS }] of Object.entries(plan)) {
    const now = Date.now();
    const made = await addAccount(
      store,
      `${name}@example.org`,
      { plan: "pro", passwordHash: null },
      now,
    );
    const { secret } = await createSession(store, made.id, "laptop", cryptoRandom, now);
    const keys = await makeKeys(store, made.id, wanted);
    for (let from = 0; from < tasks; from += BATCH) {
      progress.step(`seeding ${name}: ${from} of ${tasks} tasks`, from / tasks);
      await putTasks(store, made.id, {
        prefix: name,
        from,
        count: Math.min(BATCH, tasks - from),
        tasks,
        size,
        version: 0,
      });
    }
    owners[name] = { tasks, size, session: secret, keys };
  }
  await nameOwner(store);
  await store.close();
  return owners;
};

/** Gives the server an owner. Otherwise each start would create a new set-up code. */
const nameOwner = (store: Store): Promise<void> =>
  store.writer.write(async (tx) => {
    await tx.orm.update(account).set({ owner: 1 }).where(eq(account.id, 1)).run();
  });

const makeKeys = (store: Store, accountId: number, count: number): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const keyFields = {
        name: `bot ${at}`,
        scopes: ["read", "write"] as const,
        restriction: null,
        expiresAt: null,
      };
      return (await createKey(store, accountId, keyFields, cryptoRandom, Date.now())).secret;
    }),
  );

/**
 * Stores tasks with everything derived from them, as a push does after its checks. The checks would
 * double the time for a million tasks.
 */
const putTasks = (
  store: Store,
  accountId: number,
  batch: Parameters<typeof changesOf>[0],
): Promise<void> => {
  const changes = changesOf(batch);
  return store.writer.write(async (tx) => {
    const now = Date.now();
    const changedAt = await tx.stamp(accountId, now);
    const by = { kind: "session", id: null, name: "" } as const;
    const rows = changes.map(({ id, updated_at, payload }) => {
      const updated = Date.parse(updated_at);
      const texts = { payloadText: serialise(payload), updated, updatedAt: updated_at };
      const draft = { accountId, table: "sync_tasks", id, payload, ...texts } as const;
      const rest = { deletedAt: null, createdAt: now, author: PERSON, filed: [] };
      const pushed = { updated, content: "", as: "applied" } as const;
      const none = { clamp: null, protectedAt: null, fieldTimes: null };
      const stamps = { changedAt, pushed, ...none };
      return recordRow({ ...draft, ...rest }, stamps, by, () => false);
    });
    return putRecords(
      tx.orm,
      rows.map((row) => ({ row, before: null })),
    );
  });
};
