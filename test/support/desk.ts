import { afterAll } from "bun:test";
import { join } from "node:path";
import { saveAcks } from "../../src/db/records/acks.ts";
import { readClock, settleLease } from "../../src/db/records/clock.ts";
import { connect } from "../../src/db/sqlite/connection.ts";
import type { Acks } from "../../src/db/records/acks.ts";
import { transactOn } from "../../src/db/sqlite/transact.ts";
import { SHARES } from "../../src/db/sqlite/history/grow.ts";
import { startWriter } from "../../src/db/sqlite/group-commit.ts";
import type { Store } from "../../src/db/store.ts";
import { ormOf } from "../../src/db/sqlite/orm.ts";
import { startSearcher } from "../../src/db/sqlite/search/searcher.ts";
import { NO_KEEPER } from "../../src/db/sqlite/log.ts";
import { handsOn, settleHousehold, worldTime } from "./worlds.ts";
import type { World } from "./world.ts";

/** The tables that are emptied before each history. */
const EMPTIED = [
  "BEGIN",
  ...["record", "version", "agent_child", "mass_deletion"].map((table) => `DELETE FROM ${table}`),
  "UPDATE account SET hw = 0, inbox_task_id = NULL, history_size = 0",
  "UPDATE server SET lease = 0",
  "UPDATE session SET ack = NULL, issued = NULL",
  "COMMIT",
];

/**
 * Worlds that share one open database, one after the other, for tens of thousands of histories. A
 * crash loses everything that the process held in memory; what it committed stays. These worlds
 * have no backups.
 */
export const startDesk = async (root: string): Promise<() => World> => {
  const directory = join(root, "desk");
  const household = await settleHousehold(directory);
  const file = join(directory, "docket.db");
  const [writing, reading] = [connect(file), connect(file)];
  afterAll(() => {
    reading.close();
    writing.close();
  });
  const emptying = EMPTIED.map((statement) => writing.prepare(statement));
  const searcher = startSearcher(directory);
  const [orm, reader] = [ormOf(writing), ormOf(reading)];
  const start = (): Store => {
    const clock = readClock(orm, "server");
    const writer = startWriter(writing, orm, clock, { wal: NO_KEEPER, onFatal: undefined });
    const acks: Acks = new Map();
    const transaction = transactOn(writer, acks);
    const close = () => writer.drain();
    return {
      directory,
      reader,
      writer,
      searcher,
      transaction,
      clock,
      quota: null,
      shares: SHARES,
      acks,
      close,
    };
  };
  return () => {
    for (const statement of emptying) statement.run();
    const { clock, ...time } = worldTime();
    let store = start();
    return {
      ...time,
      ...handsOn(household, () => store, clock),
      crash: async () => {
        await store.writer.drain();
        store = start();
      },
      restart: async () => {
        const { acks, clock: serverClock } = store;
        await store.writer.write((tx) => {
          settleLease(tx.orm, serverClock);
          saveAcks(tx, acks);
        });
        store = start();
      },
      backUp: async () => {},
      restore: async () => false,
      end: () => store.close(),
    };
  };
};
