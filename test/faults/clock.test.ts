import { afterEach, describe, expect } from "bun:test";
import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Credentials,
  makeCredentials,
  query,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { change } from "../support/replies.ts";
import { send } from "../support/server.ts";
import { directoryForTest } from "../support/db/store.ts";
import { FAKETIME, testWith } from "../support/faults/needs.ts";

/** A clock for a process. `set` changes it while the process runs, in seconds from the true time. */
const newClock = () => {
  const file = join(directoryForTest(), "clock");
  const set = (off: number): void => writeFileSync(file, `${off < 0 ? "" : "+"}${off}\n`);
  set(0);
  const env = {
    LD_PRELOAD: FAKETIME ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    // Only the wall clock can be set: timers use the monotonic one.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  return { env, set };
};

/** Removes the shared memory of the time library that killed processes leave behind. */
const forgetProcesses = (): void => {
  for (const name of existsSync(SHARED) ? readdirSync(SHARED) : []) {
    const pid = /^(?:sem\.)?faketime_(?:shm|sem)_(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(SHARED, name), { force: true });
  }
};

const SHARED = "/dev/shm";

const DAY = 86_400;

/** A device that only pulls and keeps what it gets: in the end it must have everything. */
const newDevice = (server: () => ServerProcess, { session: token }: Credentials) => {
  const held = new Map<string, string>();
  const times: string[] = [];
  const sync = (words = "") =>
    send("GET", `${server().url()}/api/public/v1/sync${words}`, { token });
  const pull = async (): Promise<void> => {
    const since = times.at(-1);
    const words = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
    const { status, json } = await sync(words);
    expect(status).toBe(200);
    times.push(json.server_time as string);
    for (const { id, updated_at } of json.changes.sync_tasks) held.set(id, updated_at);
  };
  const everything = async (): Promise<ReadonlyMap<string, string>> => {
    const rows = (await sync()).json.changes.sync_tasks as { id: string; updated_at: string }[];
    return new Map(rows.map(({ id, updated_at }) => [id, updated_at]));
  };
  return { held, times, pull, everything };
};

let written = 0;

/** A device pushes a task and an agent files one. Returns their ids once both are confirmed. */
const work = async (server: ServerProcess, { session, key }: Credentials) => {
  const api = `${server.url()}/api/public/v1`;
  const id = `t${(written += 1)}`;
  const body = [change("sync_tasks", id, { title: id })];
  const pushed = await send("POST", `${api}/sync`, { token: session, body });
  expect(pushed.json).toEqual({ applied: 1, rejected: [], merged: [], invalid: [] });
  const filed = await send("POST", `${api}/tasks`, { token: key, body: { title: "filed" } });
  expect(filed.status).toBe(201);
  return [id, filed.json.id as string];
};

const fileTask = (server: ServerProcess, { key: token }: Credentials) =>
  send("POST", `${server.url()}/api/public/v1/tasks`, { token, body: { title: "when" } });

describe("a clock that jumps", () => {
  let server: ServerProcess | null = null;
  afterEach(async () => void (await server?.stop("SIGKILL")));
  afterEach(forgetProcesses);

  const world = async () => {
    const directory = realpathSync(directoryForTest());
    const clock = newClock();
    const ann = await makeCredentials(directory);
    const started = await startServerProcess(directory, { log: "json", env: clock.env });
    server = started;
    const device = newDevice(() => started, ann);
    const filed: string[] = [];
    const live = async (): Promise<void> => {
      filed.push(...(await work(started, ann)));
      await device.pull();
      filed.push(...(await work(started, ann)));
      await device.pull();
    };
    /** Checks that no confirmed write is lost, that no pull skipped anything, and that the server's time never went back. */
    const check = async (): Promise<void> => {
      const all = await device.everything();
      expect(filed.filter((id) => !all.has(id))).toEqual([]);
      expect(device.held).toEqual(new Map(all));
      expect(device.times).toEqual(device.times.toSorted());
      expect(query(directory, "PRAGMA quick_check")).toEqual([{ quick_check: "ok" }]);
    };
    return { clock, ann, started, live, check, directory };
  };

  testWith(
    ["faketime"],
    "forwards and backwards while the server runs: no pull skips anything",
    async () => {
      const { clock, ann, started, live, check } = await world();
      for (const off of [0, 2 * DAY, 0, -3 * DAY, 3_600, -60, 5 * DAY, -DAY]) {
        clock.set(off);
        const { json } = await fileTask(started, ann);
        const shown = Date.parse(json.created_at as string);
        expect(Math.abs(shown - (Date.now() + off * 1_000))).toBeLessThan(60_000);
        await live();
      }
      await check();
    },
  );

  testWith(
    ["faketime"],
    "between a kill and the next start: no pull skips anything, and the log warns of the jump",
    async () => {
      const { clock, started, live, check } = await world();
      for (const off of [2 * DAY, -DAY, 3 * DAY, 0]) {
        await live();
        await started.stop("SIGKILL");
        clock.set(off);
        await started.start();
        await live();
        const told = started.said().includes("more than a day behind the data");
        expect([off, told]).toEqual([off, off < 2 * DAY]);
      }
      await check();
    },
  );
});
