import { join } from "node:path";
import { restoreBackup, writeBackup } from "../../src/db/sqlite/files/backup.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { actAsOwner } from "./agents.ts";
import { agentOver } from "./http-agent.ts";
import { rowsIn, type ServerProcess } from "./process.ts";
import { startServer, type TestServer } from "./server.ts";
import { httpWire } from "./wire.ts";
import type { Inside, World } from "./world.ts";
import { copyAsKilled, storedRows, worldTime } from "./worlds.ts";

const V1 = "/api/public/v1";
const DEVICES = ["laptop", "phone", "tablet"] as const;
const UNLIMITED = { perMinute: 100_000, perHour: 100_000 };

/**
 * The real server in this process, over real sockets, with a new directory below `root` for each
 * life.
 */
export const startHttpWorld = async (root: string): Promise<World> => {
  const { clock, ...time } = worldTime();
  let lives = 0;
  const directory = () => join(root, String(lives));
  const open = (): Promise<TestServer> =>
    startServer({ directory: directory(), clock, limits: UNLIMITED });
  let server = await open();
  const { account, key } = await server.person();
  const tokens = [await key(), await key()];
  const devices: Device[] = [];
  for (const name of DEVICES) devices.push(await signIn(server, account.id, name));
  const backup = join(root, "backup.db");
  let backups = 0;
  return {
    ...time,
    wire: (device, meanwhile) =>
      httpWire(() => server.url, devices[device]?.token ?? "", meanwhile),
    agent: agentOver(() => `${server.url}${V1}`, tokens),
    crash: async () => {
      const killed = server;
      const from = directory();
      lives += 1;
      copyAsKilled(from, directory());
      await killed.stop();
      server = await open();
    },
    restart: async () => {
      await server.stop();
      server = await open();
    },
    backUp: async () => void writeBackup(directory(), `${backup}.${(backups += 1)}`),
    restore: async () => {
      if (backups === 0) return false;
      await server.stop();
      restoreBackup(directory(), `${backup}.${backups}`, clock.wall());
      server = await open();
      return true;
    },
    stored: async () => storedRows(server.store, account.id),
    inside: insideOf(() => server, account.id, devices),
    end: () => server.stop(),
  };
};

type Device = { readonly id: string; readonly token: string };

const signIn = async (server: TestServer, accountId: number, name: string): Promise<Device> => {
  const now = server.clock.wall();
  const made = await createSession(server.store, accountId, name, cryptoRandom, now);
  return { id: made.session.id, token: made.secret };
};

/** Reads the tables and does the person's own actions, like a command beside the server. */
const insideOf = (
  server: () => TestServer,
  accountId: number,
  devices: readonly Device[],
): Inside => ({
  store: () => server().store,
  accountId,
  wall: () => server().clock.wall(),
  sessionOf: (device) => devices[device]?.id ?? "",
  rows: async () => storedRows(server().store, accountId),
  owner: (act, pick) => actAsOwner(server().store, accountId, act, pick, server().clock.wall()),
});

/**
 * A server in a process of its own, whose crashes are real and whose clock cannot be set. It goes
 * on with what earlier histories left; only the devices are new.
 */
export const processWorld = (
  server: ServerProcess,
  sessions: readonly string[],
  key: string,
): World => {
  return {
    time: Date.now,
    wait: () => {},
    setClock: () => {},
    wire: (device, meanwhile) => httpWire(server.url, sessions[device] ?? "", meanwhile),
    agent: agentOver(() => `${server.url()}${V1}`, [key, key]),
    crash: async () => {
      await server.stop("SIGKILL");
      await server.start();
    },
    restart: async () => {
      const code = await server.stop("SIGTERM");
      if (code !== 0) throw new Error(`The server ended with ${code}.`);
      await server.start();
    },
    backUp: async () => {},
    restore: async () => false,
    stored: async () => rowsIn(server.directory),
    inside: null,
    end: async () => {},
  };
};
