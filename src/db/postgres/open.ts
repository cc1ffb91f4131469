import { mkdirSync } from "node:fs";
import type { OpenOptions } from "../sqlite/open.ts";
import { type Acks, saveAcks } from "../records/acks.ts";
import { readClock, settleLease } from "../records/clock.ts";
import { SHARES } from "../history/grow.ts";
import type { Store } from "../store.ts";
import { transactOn } from "../transact.ts";
import { schemaStatements } from "./ddl.ts";
import { openPool, type Pool } from "./driver.ts";
import { faultLine, readRefusal } from "./faults.ts";
import { startMirror } from "./mirror.ts";
import { ormOf } from "./orm.ts";
import { startWriter } from "./writer.ts";

/** Opens the database at `url`, and makes the tables if it has none. `directory` holds what this machine alone needs. */
export const openPostgres = async (url: string, options: OpenOptions): Promise<Store> => {
  const { directory, role, quota = null, shares = SHARES } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const pool = openPool(url);
  await makeSchema(pool);
  const reader = ormOf(pool.query);
  const clock = await readClock(reader, role);
  const writer = startWriter(pool, clock);
  const acks: Acks = new Map();
  const searcher = startMirror(directory, reader);
  return {
    directory,
    reader,
    writer,
    searcher,
    transaction: transactOn(writer, acks, quota, shares),
    clock,
    quota,
    shares,
    acks,
    faults: { refusal: readRefusal, line: faultLine },
    close: async () => {
      await searcher.close();
      await writer.drain();
      if (role === "server")
        await writer
          .write(async (tx) => {
            await settleLease(tx.orm, clock);
            await saveAcks(tx, acks);
          })
          // Without it, the data are as safe as after a crash.
          .catch(() => {});
      await pool.end();
    },
  };
};

/** Of the lock under which one server makes the tables and all others wait. */
const LOCK = 3_625;

const makeSchema = async (pool: Pool): Promise<void> => {
  const connection = await pool.connect();
  const run = (text: string) => connection.query({ text, values: [], asLists: true });
  try {
    await run("begin");
    await run(`select pg_advisory_xact_lock(${LOCK})`);
    const { rows } = await run("select to_regclass('server') is not null");
    if ((rows[0] as readonly unknown[])[0] === 0) {
      for (const statement of schemaStatements()) await run(statement);
      await run(
        "insert into server (id, lease, epoch) values (1, 0, replace(gen_random_uuid()::text, '-', ''))",
      );
    }
    await run("commit");
    connection.release();
  } catch (error) {
    connection.release(true);
    throw error;
  }
};
