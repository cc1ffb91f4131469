import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Instant } from "../../../src/domain/base/instant.ts";
import type { App } from "../../../src/start.ts";
import type { Postgres } from "../../support/postgres.ts";
import { newRoot, type Server, startSilent, withCommands } from "./server.ts";

/** How far the clock of each server is off, in ms: the furthest are ten minutes apart. */
const CLOCKS = [0, 300_000, -300_000];

/** Three servers in this process on one database: one works, two stand by. One that is killed loses its connections at once. */
export const startGroup = async (postgres: Postgres, start: Instant): Promise<Server> => {
  const root = newRoot();
  const name = `group_${Bun.randomUUIDv7().replaceAll("-", "")}`;
  const database = await postgres.database(name);
  let [wall, steady] = [start, 0];
  const begin = (index: number): Promise<App> => {
    const directory = join(root, `server-${index}`);
    mkdirSync(directory, { recursive: true });
    const clock = { wall: () => wall + (CLOCKS[index] ?? 0), steady: () => steady };
    return startSilent(directory, clock, { database });
  };
  const servers = new Map<number, Promise<App>>();
  let [at, app] = [-1, null as App | null];
  const find = async (): Promise<void> => {
    [at, app] = await Promise.race(
      [...servers].map(async ([index, one]) => [index, await one] as const),
    );
  };
  /** Starts those that do not run, and finds the one that works. */
  const startAll = async (): Promise<void> => {
    for (const index of CLOCKS.keys()) if (!servers.has(index)) servers.set(index, begin(index));
    await find();
  };
  const stopOne = async (drain: number): Promise<void> => {
    servers.delete(at);
    await app?.stop(drain);
  };
  /** Each that stops hands over to the next. */
  const stopAll = async (): Promise<void> => {
    while (servers.size > 0) {
      await stopOne(1_000);
      if (servers.size > 0) await find();
    }
  };
  await startAll();
  return withCommands(root, {
    url: () => `http://127.0.0.1:${app?.port}`,
    now: () => wall + (CLOCKS[at] ?? 0),
    set: (now) => {
      steady += Math.max(0, now - wall);
      wall = now;
    },
    start: startAll,
    stop: stopAll,
    kill: async () => {
      await postgres.ask(
        database,
        "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted",
      );
      await stopOne(0);
    },
    directory: () => join(root, "command"),
    store: async () => (app as App).store,
    rests: () => (app as App).store.writer.drain(),
    backup: (file) => postgres.dump(database, file),
    restore: async (file) => {
      await postgres.ask(database.replace(name, "postgres"), `drop database ${name}`);
      await postgres.database(name);
      await postgres.load(database, file);
    },
    environment: { DOCKET_DATABASE: database },
  });
};
