import { mkdirSync } from "node:fs";
import type { OpenOptions } from "../sqlite/open.ts";
import { type Acks, saveAcks } from "../records/acks.ts";
import { readClock, settleLease } from "../records/clock.ts";
import { SHARES } from "../history/grow.ts";
import type { Store } from "../store.ts";
import { transactOn } from "../transact.ts";
import { loadDriver } from "./connect.ts";
import type { Pool } from "./driver.ts";
import { SECOND } from "../../domain/base/instant.ts";
import { faultLine, isFault, readRefusal, whyUnusable } from "./faults.ts";
import { takeLead } from "./lead.ts";
import { dropMirror, startMirror } from "./mirror.ts";
import { ormOf } from "./orm.ts";
import { prepareSchema } from "./schema.ts";
import { startWriter } from "./writer.ts";

/**
 * Opens the database at `url`, and makes the tables if it has none. `directory` holds what this machine alone needs. A server
 * waits until no other one works on the database; one that has worked or waited before also waits until the database can be
 * reached. Throws `UnusableDatabase`, whose message says what to do.
 */
export const openPostgres = async (url: string, options: OpenOptions): Promise<Store> => {
  const { openPool } = await loadDriver();
  let isPatient = options.isAgain === true;
  const onWait = (): void => {
    isPatient = true;
    options.onWait?.();
  };
  for (;;) {
    const pool = openPool(url);
    try {
      return await openOn(pool, url, { ...options, onWait });
    } catch (error) {
      void pool.end();
      if (!isPatient || !isFault(error)) throw whyUnusable(error, url);
      onWait();
      await Bun.sleep(SECOND);
    }
  }
};

const openOn = async (pool: Pool, url: string, options: OpenOptions): Promise<Store> => {
  const { directory, role, mustExist = false, quota = null, shares = SHARES } = options;
  const isServer = role === "server";
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (isServer) dropMirror(directory);
  await prepareSchema(pool, {
    empty: mustExist ? "refuse" : "make",
    older: isServer ? "leave" : "refuse",
  });
  const { onWait = () => {}, onLost = () => {} } = options;
  const lead = isServer ? await takeLead(url, { onWait, onLost }) : null;
  // The server before may have been of an older version.
  if (lead) await prepareSchema(pool, { empty: "make", older: "upgrade" });
  const reader = ormOf(pool.query);
  const clock = await readClock(reader, role);
  const writer = startWriter(pool, clock, lead?.holder ?? null, onLost);
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
      if (isServer) dropMirror(directory);
      await writer.drain();
      if (isServer)
        await writer
          .write(async (tx) => {
            await settleLease(tx.orm, clock);
            await saveAcks(tx, acks);
          })
          // Without it, the data are as safe as after a crash.
          .catch(() => {});
      // A database that cannot be reached does not hold up the end.
      await Promise.race([Promise.all([lead?.end(), pool.end()]), Bun.sleep(SECOND)]);
    },
  };
};
