import { join } from "node:path";
import { startBackups } from "../../src/server/backups.ts";
import { startLog } from "../../src/server/log.ts";
import { accountFor, directoryForTest, openForTest, pushTask } from "./db/store.ts";
import { NOON, testClock } from "./server.ts";

/** A server's store with a task, and the copies that it makes. */
export const withTask = async (more: Parameters<typeof startBackups>[2] = {}) => {
  const clock = testClock();
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "milk", NOON);
  const said: string[] = [];
  const log = startLog(
    "json",
    (line) => said.push(line),
    () => new Date(clock.wall()),
  );
  const directory = join(directoryForTest(), "copies");
  const backups = startBackups({ store, clock, log }, directory, more);
  return { clock, store, ann, said, log, directory, backups };
};
