import { join } from "node:path";
import { restoreBackup, writeBackup } from "../src/db/backup.ts";
import type { AgentAct } from "./_histories.ts";
import { type Credentials, rowsIn, type ServerProcess } from "./_process.ts";
import { type Answer, type CallOptions, send, startServer, type TestServer } from "./_server.ts";
import type { World } from "./_simulate.ts";
import { httpWire } from "./_wire.ts";
import { copyAsKilled, storedRows, worldTime } from "./_worlds.ts";

const UNLIMITED = { perMinute: 100_000, perHour: 100_000 };

/** The real server in this process, over real sockets; below `root` it has a directory per life. */
export const startHttpWorld = async (root: string): Promise<World> => {
  const { clock, ...time } = worldTime();
  let lives = 0;
  const directory = () => join(root, String(lives));
  const open = (): Promise<TestServer> =>
    startServer({ directory: directory(), clock, limits: UNLIMITED });
  let server = await open();
  const { account, session, key } = await server.person();
  const token = await key();
  const backup = join(root, "backup.db");
  let backups = 0;
  return {
    ...time,
    wire: (_device, meanwhile) => httpWire(() => server.url, session, meanwhile),
    agent: agentOf(() => `${server.url}/api/public/v1`, token),
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
    backUp: async () => writeBackup(directory(), `${backup}.${(backups += 1)}`),
    restore: async () => {
      if (backups === 0) return;
      await server.stop();
      restoreBackup(directory(), `${backup}.${backups}`, clock.wall());
      server = await open();
    },
    stored: async () => storedRows(server.store, account.id),
    end: () => server.stop(),
  };
};

/**
 * A server in a process of its own, whose crashes are real and whose clock cannot be set. It goes on
 * with what earlier histories left; the devices are new ones.
 */
export const processWorld = (server: ServerProcess, { session, key }: Credentials): World => {
  return {
    time: Date.now,
    wait: () => {},
    setClock: () => {},
    wire: (_device, meanwhile) => httpWire(server.url, session, meanwhile),
    agent: agentOf(() => `${server.url()}/api/public/v1`, key),
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
    restore: async () => {},
    stored: async () => rowsIn(server.directory),
    end: async () => {},
  };
};

/** An agent with a key, as it calls the API. */
const agentOf = (base: () => string, token: string): World["agent"] => {
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(method, base() + path, { token, ...(body === undefined ? {} : { body }) } as CallOptions);
  return async (act, pick, text) => {
    const { json } = await call("GET", "/tasks?limit=200");
    const tasks = (json as { readonly tasks: readonly { readonly id: string }[] }).tasks;
    const id = tasks[pick % tasks.length]?.id ?? "none";
    const [method, path, body] = request(act, id, text);
    const { status } = await call(method, path, body);
    // Another may have deleted the task meanwhile, or put it into the trash.
    if (status > 201 && status !== 404) throw new Error(`${method} ${path}: ${status}`);
  };
};

const request = (act: AgentAct, id: string, text: string): [string, string, unknown] => {
  const tabs = [{ url: `https://example.org/${encodeURIComponent(text)}`, title: text }];
  const task = `/tasks/${encodeURIComponent(id)}`;
  switch (act) {
    case "task":
      return ["POST", "/tasks", { title: text, tabs, notes: [text] }];
    case "tabs":
      return ["POST", `${task}/tabs`, tabs];
    case "note":
      return ["POST", `${task}/notes`, { text }];
    case "patch":
      return ["PATCH", task, { title: text }];
    case "inbox":
      return ["POST", "/inbox/tabs", tabs];
  }
};
