import type { Database } from "bun:sqlite";

type Value = Uint8Array | number | string | null;

/**
 * How one table is carried over: `from` reads rows from the old data, and `into` runs once for each row on
 * the new data.
 */
type Carried = { readonly table: string; readonly from: string; readonly into: string };

/** Carries over when something ended, so that it does not start again. */
const ending = (table: string, key: string, column: string): Carried => ({
  table,
  from: `SELECT ${key}, ${column} FROM ${table} WHERE ${column} IS NOT NULL`,
  into: `UPDATE ${table} SET ${column} = ?2 WHERE ${key} = ?1 AND ${column} IS NULL`,
});

const CARRIED: readonly Carried[] = [
  ending("account", "uid", "disabled_at"),
  ending("api_key", "id", "revoked_at"),
  ending("session", "id", "revoked_at"),
  ending("visit", "id", "ended_at"),
  ending("code", "id", "used_at"),
  {
    // A replaced key works only a few more days, not until its original expiry.
    table: "api_key",
    from: "SELECT id, expires_at FROM api_key WHERE expires_at IS NOT NULL",
    into: "UPDATE api_key SET expires_at = ?2 WHERE id = ?1 AND coalesce(expires_at > ?2, 1)",
  },
  {
    // Changing a password locks out anyone who knew the old one.
    table: "account",
    from: "SELECT uid, password_hash FROM account WHERE password_hash IS NOT NULL",
    into: "UPDATE account SET password_hash = ?2 WHERE uid = ?1",
  },
  {
    // Nor may a backup from before the second factor open an account with the password alone.
    table: "authenticator",
    from: `SELECT uid, secret, authenticator.created_at, last_step
      FROM authenticator JOIN account ON account.id = account_id`,
    into: `INSERT OR REPLACE INTO authenticator (account_id, secret, created_at, last_step)
      SELECT id, ?2, ?3, ?4 FROM account WHERE uid = ?1`,
  },
  {
    table: "recovery_code",
    from: `SELECT uid, digest, recovery_code.created_at
      FROM recovery_code JOIN account ON account.id = account_id`,
    into: `INSERT OR IGNORE INTO recovery_code (account_id, digest, created_at)
      SELECT id, ?2, ?3 FROM account WHERE uid = ?1`,
  },
  {
    table: "agent_child",
    from: `SELECT uid, agent_child.id, list, key, agent_child.created_at
      FROM agent_child JOIN account ON account.id = account_id`,
    into: `INSERT OR IGNORE INTO agent_child (account_id, id, list, key, created_at)
      SELECT id, ?2, ?3, ?4, ?5 FROM account WHERE uid = ?1`,
  },
];

/** Ways to sign in that can be removed: the table, and the column that identifies a row. */
const REMOVED: readonly (readonly [table: string, key: string])[] = [
  ["passkey", "passkey.id"],
  ["authenticator", "hex(secret)"],
  ["recovery_code", "hex(digest)"],
  ["identity", "issuer || ' ' || subject"],
  ["redirect", "uri"],
  ["known_browser", "hex(digest)"],
  ["code", "code.id"],
];

/**
 * Carries over from the old data into a restored backup what must not come back with it: whatever was
 * revoked, ended, used, disabled or removed since stays so, passwords and second factors stay as they are now, and tabs and
 * notes filed by keys are recognised when devices send them again. Anything created since is not carried
 * over. Returns whether all of it could be read.
 */
export const carryOver = (into: Database, from: Database): boolean => {
  const works = [
    ...CARRIED.map((carried) => [carried.table, () => carry(into, from, carried)] as const),
    ...REMOVED.map(([table, key]) => [table, () => remove(into, from, table, key)] as const),
  ];
  into.run("BEGIN IMMEDIATE");
  const done = works.map(
    // A backup of an older version may lack a table; it then has no rows there that must end.
    ([table, work]) => !has(into, table) || !has(from, table) || isDone(work),
  );
  into.run("COMMIT");
  return !done.includes(false);
};

const has = (database: Database, table: string): boolean =>
  database.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== null;

/** In damaged data, one table may be readable and another not. */
const isDone = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

const carry = (into: Database, from: Database, { from: rows, into: statement }: Carried): void => {
  const change = into.query<never, Value[]>(statement);
  for (const row of from.query<never, []>(rows).values() as Value[][]) change.run(...row);
};

/** Only for accounts that both know: a backup of another server is used as it is. */
const remove = (into: Database, from: Database, table: string, key: string): void => {
  const owned = `FROM ${table} JOIN account ON account.id = account_id`;
  const rows = from.query<never, []>(`SELECT uid || ' ' || ${key} ${owned}`).values();
  const stays = new Set(rows.map(([text]) => String(text)));
  const accounts = from.query<never, []>("SELECT uid FROM account").values();
  const known = new Set(accounts.map(([uid]) => String(uid)));
  const candidates = into
    .query<{ row: number; uid: string; name: string }, []>(
      `SELECT ${table}.rowid AS row, uid, uid || ' ' || ${key} AS name ${owned}`,
    )
    .all();
  const drop = into.query<never, [number]>(`DELETE FROM ${table} WHERE rowid = ?`);
  for (const { row, uid, name } of candidates)
    if (known.has(uid) && !stays.has(name)) drop.run(row);
};
