import { cpSync, rmSync } from "node:fs";
import { eq } from "drizzle-orm";
import { noteFile } from "../../../src/db/sqlite/files/lease-file.ts";
import { openStore } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import { openPull, pullRows } from "../../../src/db/records/pull.ts";
import { account, record, server } from "../../../src/db/schema/records.ts";
import { listTasks } from "../../../src/db/records/lists/task-list.ts";
import { readFilter } from "../../../src/server/tasks/filter.ts";
import type { Instant } from "../../../src/domain/base/instant.ts";
import { markOf } from "../../../src/domain/base/rev.ts";
import { readEpoch } from "../../../src/db/records/clock.ts";
import { syncRow, TABLES } from "../../../src/domain/base/record.ts";
import { NOON } from "../server.ts";
import { newDirectory } from "./place.ts";
import { PHONE, recordOf } from "./store.ts";
import { createFolder, pushChanges } from "../rules.ts";

export type Act =
  | { readonly do: "folder" | "list" | "pull"; readonly who: number }
  | {
      readonly do: "push" | "visitor's push";
      readonly who: number;
      readonly tasks: readonly number[];
    };

export type Step =
  | Act
  | { readonly do: "all at once"; readonly acts: readonly Act[] }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "crash" | "restart" };

/** A server and a command beside it, on a copy of `template`, with watchers for their clocks. */
export const openWorld = async (template: string) => {
  let directory = copyOf(template);
  let wall: Instant = NOON;
  let pushed = 0;
  let store = await openStore({ directory, role: "server", now: wall });
  let visitor = await openStore({ directory, role: "visitor", now: wall });
  const people = await store.reader.select().from(account).all();
  const watch = people.map(({ id }) => watcher(id));
  const devices = people.map(({ id }) => device(id));

  const push = (by: Store, who: number, tasks: readonly number[]) => {
    const records = tasks.map((task) => recordOf(`t${task}`, (pushed += 1), { pushed }));
    return pushChanges(by, people[who]?.id ?? 0, null, records, wall);
  };

  const act = async (one: Act): Promise<void> => {
    const id = people[one.who]?.id ?? 0;
    switch (one.do) {
      case "push":
        return void (await push(store, one.who, one.tasks));
      case "visitor's push":
        return void (await push(visitor, one.who, one.tasks));
      case "folder":
        return void (await createFolder(store, id, { name: "f", colour: null }, PHONE, wall));
      case "pull":
        return watch[one.who]?.issued(store, (await devices[one.who]?.pull(store, wall)) ?? 0);
      case "list": {
        const page = { after: null, first: null, limit: 1 };
        const list = await listTasks(store, id, null, ALL, page, wall);
        return watch[one.who]?.issued(store, list.serverTime);
      }
    }
  };

  const close = async (): Promise<void> => {
    await visitor.close();
    await store.close();
  };

  const play = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "wait":
        wall += step.ms;
        break;
      case "all at once":
        await Promise.all(step.acts.map(act));
        break;
      case "restart":
        await store.close();
        store = await openStore({ directory, role: "server", now: wall });
        break;
      case "crash": {
        const left = copyOf(directory);
        await close();
        rmSync(directory, { recursive: true });
        directory = left;
        store = await openStore({ directory, role: "server", now: wall });
        visitor = await openStore({ directory, role: "visitor", now: wall });
        break;
      }
      default:
        await act(step);
    }
    for (const watching of watch) await watching.look(store);
  };

  /** Pulls once more, closes everything, and returns what the devices still lack. */
  const end = async (): Promise<readonly string[]> => {
    const lacking: string[] = [];
    for (const one of devices) {
      await one.pull(store, wall);
      lacking.push(...(await one.lacking(store)));
    }
    await close();
    rmSync(directory, { recursive: true });
    return lacking;
  };
  return { play, end };
};

const ALL = readFilter({});

/** What a power cut would leave: the files as they are now. The next server takes them for the same ones. */
export const copyOf = (directory: string): string => {
  const copy = newDirectory();
  cpSync(directory, copy, { recursive: true });
  noteFile(copy);
  return copy;
};

/** A device that stores what each pull delivers and asks for what came after. */
const device = (accountId: number) => {
  const rows = new Map<string, string>();
  let since: Instant | null = null;
  const pull = async (store: Store, now: Instant): Promise<Instant> => {
    const window = await openPull(store, accountId, since, null, now);
    for (const table of TABLES) {
      const brought = window.empty ? [] : pullRows(store, accountId, table, window);
      const texts = (await Array.fromAsync(brought)).flat();
      const ids = texts.map((text) => `${table} ${(JSON.parse(text) as { id: string }).id}`);
      if (new Set(ids).size < ids.length) throw new Error(`a pull brought a row twice: ${ids}`);
      ids.forEach((id, at) => rows.set(id, texts[at] ?? ""));
    }
    return (since = window.until);
  };
  const lacking = async ({ reader }: Store): Promise<readonly string[]> => {
    const mark = markOf(await readEpoch(reader));
    const all = await reader.select().from(record).where(eq(record.accountId, accountId)).all();
    return all
      .filter((row) => rows.get(`${row.table} ${row.id}`) !== syncRow(row, mark))
      .map(({ table, id }) => `${table} ${id}`);
  };
  return { pull, lacking };
};

/** Throws if the account's clock breaks one of its guarantees. */
const watcher = (accountId: number) => {
  const seen = new Set<string>();
  let last = Number.NEGATIVE_INFINITY;

  const look = async ({ reader }: Store): Promise<void> => {
    const rows = await reader.select().from(record).all();
    const mine = rows.filter((row) => row.accountId === accountId);
    for (const { table, id, changedAt } of mine) {
      const version = `${table} ${id} ${changedAt}`;
      if (!seen.has(version) && changedAt <= last)
        throw new Error(`${version} was committed behind the server_time ${last}`);
      seen.add(version);
    }
    const hw =
      (await reader.select().from(account).all()).find(({ id }) => id === accountId)?.hw ?? 0;
    const lease = (await reader.select().from(server).get())?.lease ?? 0;
    const newest = Math.max(0, ...mine.map(({ changedAt }) => changedAt));
    if (newest > hw) throw new Error(`the stamp ${newest} lies above the high-water mark ${hw}`);
    if (hw > lease) throw new Error(`the high-water mark ${hw} lies above the lease ${lease}`);
    if (last > lease) throw new Error(`the server_time ${last} lies above the lease ${lease}`);
  };

  const issued = async (store: Store, serverTime: Instant): Promise<void> => {
    await look(store);
    if (serverTime < last) throw new Error(`server_time went back from ${last} to ${serverTime}`);
    last = serverTime;
  };

  return { look, issued };
};
