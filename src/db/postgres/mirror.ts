import { Database, type SQLQueryBindings } from "bun:sqlite";
import { and, eq, getTableColumns, gt, inArray, sql } from "drizzle-orm";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readEpoch } from "../records/clock.ts";
import type { Orm } from "../query.ts";
import { account, record } from "../schema/records.ts";
import { applyMigrations, FOLDER } from "../sqlite/files/migrate.ts";
import { startSearcher } from "../sqlite/search/searcher.ts";
import type { Searcher } from "../store.ts";

/** Tasks that are copied at once. */
const AT_ONCE = 200;

/**
 * Searches in a copy of the tasks on this machine, so that words are found as in the embedded database. The copy follows an
 * account's records by stamp, when somebody searches in it. It can be deleted at any time.
 */
export const startMirror = (directory: string, reader: Orm): Searcher => {
  const folder = folderIn(directory);
  let database: Database | null = null;
  const searcher = startSearcher(folder);
  const following = new Map<number, Promise<void>>();

  const open = (): Database => {
    if (database) return database;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    database = new Database(join(folder, "docket.db"));
    for (const pragma of [
      "journal_mode = WAL",
      "synchronous = OFF",
      "foreign_keys = OFF",
      "secure_delete = ON",
    ])
      database.run(`PRAGMA ${pragma}`);
    applyMigrations(database, FOLDER);
    return database;
  };

  const follow = async (accountId: number): Promise<void> => {
    const copy = open();
    const [epoch, row] = [await readEpoch(reader), await accountOf(reader, accountId)];
    if (!row) return;
    if (epochIn(copy) !== epoch) forgetAll(copy, epoch);
    let last = lastIn(copy, accountId);
    for (;;) {
      const rows = await changedSince(reader, accountId, last);
      putAll(copy, accountId, row, rows);
      const end = rows.at(-1);
      if (!end || rows.length < AT_ONCE) return;
      last = { stamp: end["changed_at"] as number, id: end["id"] as string };
    }
  };
  const upToDate = async (accountId: number): Promise<void> => {
    // What was committed before the call is copied: a copying that had begun before it is not enough.
    await following.get(accountId)?.catch(() => {});
    const begun = following.get(accountId);
    if (begun) return begun;
    const done = follow(accountId).finally(() => following.delete(accountId));
    following.set(accountId, done);
    return done;
  };

  const forget = (): void => {
    if (database) {
      forgetAll(database, "");
      database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    searcher.forget();
  };
  return {
    search: async (asked) => {
      await upToDate(asked.accountId);
      return searcher.search(asked);
    },
    forget,
    forgetGone: async () => {
      if (database === null) return;
      const copied = uidsIn(database);
      const there = await reader
        .select({ uid: account.uid })
        .from(account)
        .where(inArray(account.uid, copied))
        .all();
      if (there.length < copied.length) forget();
    },
    close: async () => {
      await searcher.close();
      database?.close();
    },
  };
};

/**
 * Removes the copy. A server that does not work must have none, for it would not hear that an account was deleted, and keep what
 * that person wrote.
 */
export const dropMirror = (directory: string): void =>
  rmSync(folderIn(directory), { recursive: true, force: true });

const folderIn = (directory: string): string => join(directory, "mirror");

type Place = { readonly stamp: number; readonly id: string };
type Row = Readonly<Record<string, unknown>>;

const accountOf = (orm: Orm, accountId: number) =>
  orm
    .select({ uid: account.uid, hw: account.hw, inboxTaskId: account.inboxTaskId })
    .from(account)
    .where(eq(account.id, accountId))
    .get();

const BY_NAME = Object.fromEntries(
  Object.values(getTableColumns(record)).map((column) => [column.name, column]),
);

const COLUMNS = Object.keys(BY_NAME);

const changedSince = (orm: Orm, accountId: number, { stamp, id }: Place): Promise<Row[]> =>
  orm
    .select(BY_NAME)
    .from(record)
    .where(
      and(
        eq(record.accountId, accountId),
        // Folders too: their names are in the rows that a search returns.
        gt(sql`(${record.changedAt}, ${record.id})`, sql`(${stamp}, ${id})`),
      ),
    )
    .orderBy(record.changedAt, record.id)
    .limit(AT_ONCE)
    .all();

const epochIn = (copy: Database): string =>
  copy.query<{ epoch: string }, []>("SELECT epoch FROM server").get()?.epoch ?? "";

const uidsIn = (copy: Database): string[] =>
  copy
    .query<{ uid: string }, []>("SELECT uid FROM account")
    .all()
    .map(({ uid }) => uid);

const lastIn = (copy: Database, accountId: number): Place =>
  copy
    .query<Place, [number]>(
      "SELECT changed_at AS stamp, id FROM record WHERE account_id = ? ORDER BY changed_at DESC, id DESC LIMIT 1",
    )
    .get(accountId) ?? { stamp: 0, id: "" };

const atOnce = (copy: Database, work: () => void): void => {
  copy.run("BEGIN");
  try {
    work();
    copy.run("COMMIT");
  } catch (error) {
    copy.run("ROLLBACK");
    throw error;
  }
};

const forgetAll = (copy: Database, epoch: string): void => {
  atOnce(copy, () => {
    copy.run("DELETE FROM record");
    copy.run("DELETE FROM account");
    copy.query("UPDATE server SET epoch = ?").run(epoch);
  });
};

const INSERT = `INSERT OR REPLACE INTO record (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;

const putAll = (
  copy: Database,
  accountId: number,
  {
    uid,
    hw,
    inboxTaskId,
  }: { readonly uid: string; readonly hw: number; readonly inboxTaskId: string | null },
  rows: readonly Row[],
): void => {
  atOnce(copy, () => {
    copy
      .query(
        "INSERT OR REPLACE INTO account (id, uid, email, plan, plan_source, created_at, hw, inbox_task_id) VALUES (?, ?, ?, '', '', 0, ?, ?)",
      )
      .run(accountId, uid, uid, hw, inboxTaskId);
    const insert = copy.query(INSERT);
    for (const row of rows) insert.run(...COLUMNS.map((name) => row[name] as SQLQueryBindings));
  });
};
