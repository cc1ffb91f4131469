import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER } from "../sqlite/files/migrate.ts";
import { UnusableDatabase } from "../unusable.ts";
import type { Connection, Pool } from "./driver.ts";

/** The statements that have made the schema, a file for each version, in their order. */
const versions = (): readonly string[] => {
  const folder = join(FOLDER, "postgres");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"));
};

/** The lock under which one process changes the schema, and all others wait. */
const LOCK = 3_625_000;

type Ask = (text: string) => Promise<readonly (readonly unknown[])[]>;

/** What becomes of an empty database, and of tables that an older version made. */
export type Preparing = {
  readonly empty: "make" | "refuse";
  readonly older: "leave" | "refuse" | "upgrade";
};

/**
 * Checks that a database can keep Docket's data, and prepares its tables. Throws `UnusableDatabase`, whose message says what
 * to do. Then nothing was changed.
 */
export const prepareSchema = (pool: Pool, { empty, older }: Preparing): Promise<void> =>
  inTransaction(pool, async (ask) => {
    await checkDatabase(ask);
    await ask(`select pg_advisory_xact_lock(${LOCK})`);
    const known = versions();
    const present = await versionOf(ask);
    if (present > known.length)
      throw new UnusableDatabase(
        "A newer version of Docket made the tables in this database. Nothing was changed. Run that version.",
      );
    if (present === known.length || (present > 0 && older === "leave")) return;
    if (present === 0 && empty === "refuse")
      throw new UnusableDatabase(
        "There are no data in this database. Check its name. For new data, start the server on it or run `docket account add EMAIL`.",
      );
    if (present > 0 && older === "refuse")
      throw new UnusableDatabase(
        "An older version of Docket made the tables in this database. Nothing was changed. Start a server of this version first: it brings them up to date.",
      );
    for (const text of known.slice(present)) await ask(text);
    await ask(`update docket set version = ${known.length}`);
  });

/** Says what of the database's own settings would break a promise. */
const checkDatabase = async (ask: Ask): Promise<void> => {
  const [found = []] = await ask(
    `select current_setting('server_version_num')::bigint, pg_is_in_recovery()::int::bigint,
      current_setting('server_encoding'), current_setting('synchronous_commit'),
      current_setting('server_version'), current_setting('fsync')`,
  );
  const [version, isStandby, encoding, commit, name, fsync] = found;
  const wrong = [
    [Number(version) < 150_000, `PostgreSQL ${name} is too old. Docket needs version 15 or newer.`],
    [
      isStandby === 1,
      "This database is a standby, which cannot be written to. Give the address of the primary, or one that always leads to it.",
    ],
    [
      encoding !== "UTF8",
      `This database stores text as ${encoding}, which cannot hold all that people write. Create it with: createdb --encoding=UTF8 --template=template0 docket`,
    ],
    [
      commit === "off",
      "synchronous_commit is off for this database or user, so what Docket has answered could be lost. Set it to on.",
    ],
    [
      fsync === "off",
      "fsync is off on this PostgreSQL server, so what Docket has answered could be lost. Set it to on.",
    ],
  ] as const;
  for (const [isWrong, sentence] of wrong) if (isWrong) throw new UnusableDatabase(sentence);
};

/** Which version of the schema the database has; 0 for an empty database. */
const versionOf = async (ask: Ask): Promise<number> => {
  const [[isOurs] = []] = await ask("select (to_regclass('docket') is not null)::int::bigint");
  if (isOurs === 1) {
    const [[version] = []] = await ask("select version from docket");
    return Number(version);
  }
  const [[others] = []] = await ask(
    "select count(*) from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')",
  );
  if (Number(others) > 0)
    throw new UnusableDatabase(
      "This database has tables that are not Docket's. Nothing was changed. Create one for Docket alone: createdb --encoding=UTF8 --template=template0 docket",
    );
  return 0;
};

const inTransaction = async (pool: Pool, work: (ask: Ask) => Promise<void>): Promise<void> => {
  const connection: Connection = await pool.connect();
  const ask: Ask = async (text) =>
    (await connection.query({ text, values: [], asLists: true })).rows as (readonly unknown[])[];
  try {
    await ask("begin");
    await work(ask);
    await ask("commit");
    connection.release();
  } catch (error) {
    connection.release(true);
    throw error;
  }
};
