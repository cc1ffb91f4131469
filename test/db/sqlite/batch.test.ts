import { expect, test } from "bun:test";
import { join } from "node:path";
import type { ServerClock } from "../../../src/db/records/clock.ts";
import { commitAll } from "../../../src/db/sqlite/writer.ts";
import { connect } from "../../../src/db/sqlite/connection.ts";
import { ormOf } from "../../../src/db/sqlite/orm.ts";
import { testDirectory } from "../../support/server.ts";

const CLOCK: ServerClock = {
  lease: 0,
  raising: null,
  floors: new Map(),
  pending: new Map(),
  start: 0,
  role: "server",
};

/** Commits a transaction that takes this long, in ms, while the log is being moved. Returns what happened, in order. */
const commitDuringMove = async (ms: number): Promise<readonly string[]> => {
  const database = connect(join(testDirectory(), "data.db"));
  const happened: string[] = [];
  const job = {
    run: () => Bun.sleep(ms),
    resolve: () => void happened.push("answered"),
    reject: (error: unknown) => void happened.push(String(error)),
    deadline: null,
    leaves: "data",
    isLong: false,
  } as const;
  const still = async (): Promise<void> => {
    await Bun.sleep(20);
    happened.push("the log was moved");
  };
  const onCommit = (): void => void happened.push("committed");
  await commitAll({ database, orm: ormOf(database), clock: CLOCK, onCommit, still }, [job]);
  database.close();
  return happened;
};

test("A long transaction is committed once the log is not being moved, so that its sync is short", async () => {
  expect(await commitDuringMove(150)).toEqual(["the log was moved", "committed", "answered"]);
});

test("A short transaction does not wait for the log", async () => {
  expect(await commitDuringMove(0)).toEqual(["committed", "answered"]);
});
