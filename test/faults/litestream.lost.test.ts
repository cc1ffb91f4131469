import { expect } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { until } from "../support/replies.ts";
import {
  type Credentials,
  makeCredentials,
  makeSession,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { dice, seed, times } from "../support/random.ts";
import { send, testDirectory } from "../support/server.ts";
import { testWith } from "../support/faults/needs.ts";

// A machine dies with Docket and Litestream on it, and Docket goes on from what Litestream had copied, on an empty one.

type Row = {
  readonly id: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** As the guide for authors of clients asks: it keeps what it pulled, and starts over if the epoch is a new one. */
type Device = {
  readonly token: string;
  readonly rows: Map<string, Row>;
  since: string | null;
  epoch: string | null;
};

/** What the server has confirmed: the time of each record's newest version that a device sent, and agents' tasks. */
type Confirmed = { readonly pushed: Map<string, string>; readonly filed: Map<string, number> };

testWith(
  ["litestream"],
  "after both were killed under load, devices give back all of theirs, and only an agent's last calls are lost",
  async () => {
    const root = testDirectory();
    const data = join(root, "data");
    const random = dice(seed);
    const confirmed: Confirmed = { pushed: new Map(), filed: new Map() };
    const ann = await makeCredentials(data);
    const devices = [newDevice(ann.session), newDevice(await makeSession(data, "tablet"))];
    let server = await startServerProcess(data);
    let [calls, lost, oldest] = [0, 0, 0];
    for (let round = 0; round < times(2); round += 1) {
      // A machine of its own, so a replica of its own: Litestream does not go on in that of another database.
      const replica = `file://${join(root, `replica-${round}`)}`;
      const litestream = Bun.spawn(["litestream", "replicate", join(data, "docket.db"), replica], {
        stdout: "ignore",
        stderr: "ignore",
      });
      await until(() => existsSync(join(root, `replica-${round}`)));
      await Bun.sleep(1_500);
      let isOver = false;
      const world = { server, ann, random, confirmed, isOver: () => isOver };
      const work = [...devices.map((device) => useOn(world, device)), fileOn(world)];
      await Bun.sleep(500 + random(1_500));
      isOver = true;
      const died = Date.now();
      await Promise.all([server.stop("SIGKILL"), litestream.kill("SIGKILL")]);
      await Promise.all([...work, litestream.exited]);
      rmSync(data, { recursive: true });

      const restore = Bun.spawn(["litestream", "restore", "-o", join(data, "docket.db"), replica], {
        stdout: "ignore",
        stderr: "pipe",
      });
      const said = await new Response(restore.stderr).text();
      expect({ code: await restore.exited, said }).toEqual({ code: 0, said: expect.any(String) });
      server = await startServerProcess(data);
      expect(server.said()).toContain("they were moved or restored");
      for (const device of devices) await sync(server, device);
      for (const device of devices) await sync(server, device);

      const there = new Map((await everything(server, ann)).map((row) => [row.id, row]));
      const gone = [...confirmed.pushed].filter(
        ([id, at]) => (there.get(id)?.updated_at ?? "") < at,
      );
      expect({ gone, round, seed }).toEqual({ gone: [], round, seed });
      const forgotten = [...confirmed.filed].filter(([id]) => !there.has(id));
      calls += confirmed.filed.size;
      lost += forgotten.length;
      for (const [id, at] of forgotten) {
        oldest = Math.max(oldest, died - at);
        confirmed.filed.delete(id);
      }
      for (const { rows } of devices)
        expect([...rows.keys()].toSorted()).toEqual([...there.keys()].toSorted());
      confirmed.filed.clear();
    }
    await server.stop("SIGTERM");
    process.stdout.write(
      `${times(2)} deaths: ${confirmed.pushed.size} records of devices, none lost; ${calls} tasks of an agent, ` +
        `${lost} lost, the oldest filed ${oldest} ms before\n`,
    );
    expect(oldest).toBeLessThan(10_000);
  },
  60_000 * times(2),
);

const newDevice = (token: string): Device => ({ token, rows: new Map(), since: null, epoch: null });

type World = {
  readonly server: ServerProcess;
  readonly ann: Credentials;
  readonly random: (below: number) => number;
  readonly confirmed: Confirmed;
  readonly isOver: () => boolean;
};

/** Makes and changes tasks on a device, and syncs it, until the server is gone. */
const useOn = async (world: World, device: Device): Promise<void> => {
  while (!world.isOver())
    try {
      await edit(world, device);
      await sync(world.server, device);
    } catch {
      return;
    }
};

const edit = async ({ server, random, confirmed }: World, device: Device): Promise<void> => {
  const ids = [...device.rows.keys()];
  const edited = Array.from({ length: 1 + random(8) }, () => {
    const id = random(3) === 0 ? undefined : ids[random(ids.length)];
    const known = id === undefined ? undefined : device.rows.get(id);
    const title = `edit ${random(1_000_000)}`;
    return {
      ...known,
      id: id ?? crypto.randomUUID(),
      payload: { pages: [], ...known?.payload, title },
    };
  });
  const updated_at = formatInstant(Date.now());
  const rows = new Map(edited.map((row) => [row.id, { ...row, updated_at, deleted_at: null }]));
  for (const row of rows.values()) device.rows.set(row.id, row);
  const { rejected } = await push(server, device, [...rows.values()]);
  for (const id of rows.keys()) if (!rejected.has(id)) confirmed.pushed.set(id, updated_at);
};

const push = async (server: ServerProcess, { token }: Device, rows: readonly Row[]) => {
  const body = rows.map((row) => ({ table: "sync_tasks", ...row }));
  const { json } = await call(server, "POST", "/sync", token, body);
  const rejected = json["rejected"] as readonly { readonly id: string }[];
  return { rejected: new Set(rejected.map(({ id }) => id)) };
};

/** Pulls, and after a restore also pushes everything and pulls once more. */
const sync = async (server: ServerProcess, device: Device): Promise<void> => {
  const isNew = await pull(server, device);
  if (!isNew) return;
  const held = [...device.rows.values()];
  for (let at = 0; at < held.length; at += 500)
    await push(server, device, held.slice(at, at + 500));
  await pull(server, device);
};

/** Returns whether the epoch was another one than before. */
const pull = async (server: ServerProcess, device: Device): Promise<boolean> => {
  const query = device.since === null ? "" : `?since=${encodeURIComponent(device.since)}`;
  const { json } = await call(server, "GET", `/sync${query}`, device.token);
  const isNew = device.epoch !== null && json["epoch"] !== device.epoch;
  device.epoch = String(json["epoch"]);
  if (isNew && device.since !== null) {
    device.since = null;
    await pull(server, device);
    return true;
  }
  device.since = String(json["server_time"]);
  for (const row of (json["changes"] as { readonly sync_tasks: readonly Row[] }).sync_tasks) {
    const held = device.rows.get(row.id);
    if (held === undefined || row.updated_at >= held.updated_at) device.rows.set(row.id, row);
  }
  return isNew;
};

const fileOn = async ({ server, ann, confirmed, isOver }: World): Promise<void> => {
  while (!isOver())
    try {
      const { json } = await call(server, "POST", "/tasks", ann.key, { title: "found" });
      confirmed.filed.set(String(json["id"]), Date.now());
    } catch {
      return;
    }
};

const everything = async (
  server: ServerProcess,
  { session }: Credentials,
): Promise<readonly Row[]> => {
  const { json } = await call(server, "GET", "/sync", session);
  return (json["changes"] as { readonly sync_tasks: readonly Row[] }).sync_tasks;
};

const call = async (
  server: ServerProcess,
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<{ readonly json: Readonly<Record<string, unknown>> }> => {
  const answer = await send(method, `${server.url()}/api/public/v1${path}`, { token, body });
  if (answer.status > 201) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return { json: answer.json };
};
