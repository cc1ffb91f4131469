import {
  addNote,
  addTabs,
  createTask,
  moveNotes,
  moveTabs,
  remove,
  removeNotes,
  removeTabs,
  revive,
  setTask,
} from "../../../src/client/edits.ts";
import type { Edit } from "../../../src/client/edit.ts";
import {
  LISTS,
  newTab,
  type Payload,
  type Row,
  tokenOfChild,
  tokensIn,
} from "../../model/witness/content.ts";
import type { Habits } from "../../model/witness/device.ts";
import type { History } from "../../model/witness/history.ts";
import { isBack, isThere, judge } from "../../model/witness/judge.ts";
import { type Ledger, make, type Place, type Token } from "../../model/witness/ledger.ts";
import type { Server } from "../../model/witness/server.ts";
import { FEATURES, type Feature, type Step, take } from "../../model/witness/steps.ts";
import { doubledIn, emptyWorld, look, pass, say, type World } from "../../model/witness/world.ts";
import { type Device, edit, newDevice, rowsOf, sync } from "./device.ts";

// Histories of the second model, with the web app's core as the devices.

/** What a history of the core may have in it: the second model does the rest with devices of its own. */
export const CORE_FEATURES: readonly Feature[] = FEATURES.filter(
  (feature) =>
    !["recalls", "lost requests", "late duplicates", "returns in any order", "set backs"].includes(
      feature,
    ),
);

export type Outcome = { readonly findings: readonly string[]; readonly log: readonly string[] };

export const playHistory = async (
  server: Server,
  history: History,
  start: number,
): Promise<Outcome> => {
  const { world, devices } = await newWorld(server, start, history);
  try {
    for (const step of history.steps) {
      const device = devices.get(step.who);
      if (!device) await take(world, step);
      else {
        pass(world, step.after);
        const line = await act(device, step);
        if (line !== null) say(world, `${device.name} ${line}`);
      }
    }
    return { findings: await finish(world, [...devices.values()]), log: world.log };
  } finally {
    for (const { client } of devices.values()) await client.signOut({ evenIfWaiting: true });
  }
};

type Shown = {
  readonly name: string;
  readonly habits: Habits;
  readonly rows: ReadonlyMap<string, Row>;
};

const newWorld = async (server: Server, start: number, history: History) => {
  server.set(start);
  const names = [...history.devices.keys()];
  const person = await server.person([...names, "ann", "witness"], ["bot", "cat"]);
  const shown = new Map<string, Shown>();
  // All that the model does with devices of others is to look at what they hold.
  const looks = { get: () => undefined, values: () => shown.values() };
  const world = emptyWorld(
    { server, person, devices: looks as unknown as World["devices"] },
    start,
  );
  const devices = new Map<string, Device>();
  for (const [name, habits] of history.devices) {
    const device = await newDevice(world, name, habits.skew);
    devices.set(name, device);
    shown.set(name, {
      name,
      habits,
      get rows() {
        return rowsOf(device);
      },
    });
    await sync(device);
  }
  return { world, devices };
};

const choose = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length];

const alive = ({ client }: Device): readonly string[] => [...client.state().tasks.keys()];

const payloadOf = ({ client }: Device, task: string): Payload =>
  (client.state().tasks.get(task)?.payload ?? {}) as Payload;

type Child = {
  readonly task: string;
  readonly token: string;
  readonly list: (typeof LISTS)[number];
  readonly at: number;
};

const childrenOf = (device: Device): readonly Child[] =>
  alive(device).flatMap((task) =>
    LISTS.flatMap((list) =>
      (payloadOf(device, task)[list] ?? []).flatMap((child, at) => {
        const token = tokenOfChild(child);
        return token === null ? [] : [{ task, token, list, at }];
      }),
    ),
  );

const makeHere = (device: Device, place: Place, task: string, token: string): void =>
  make(device.world.ledger, { token, place, task, by: device.name, over: "sync" });

/** An edit that adds a token to a task. */
const addToken = async (
  device: Device,
  { id, pick }: Step,
  place: Place,
): Promise<string | null> => {
  const task = choose(alive(device), pick);
  if (task === undefined) return null;
  const token = `k${id}`;
  makeHere(device, place, task, token);
  const edits: Readonly<Record<Place, () => Edit>> = {
    title: () => setTask(task, { title: token }),
    colour: () => setTask(task, { colour: token }),
    tab: () => addTabs(task, [newTab(token) as { readonly url: string }]),
    note: () => addNote(task, { text: token }),
  };
  await edit(device, [task], [edits[place]()]);
  return `puts ${place} ${token} into ${task}`;
};

/** How often the program crashes in the middle of a sync. */
const CRASH = 7;

const act = async (device: Device, step: Step): Promise<string | null> => {
  const { client, line, world } = device;
  const { ledger } = world;
  const { pick, id } = step;
  const syncWith = async (said: string): Promise<string> => {
    await sync(device);
    return said;
  };
  /** Something that happens once, between the server's answer and its arrival at the device. */
  const before = (method: string, job: () => Promise<unknown>): void => {
    line.meanwhile = async (_path, init) => {
      if (init.method !== method) return;
      line.meanwhile = () => Promise.resolve();
      await job();
    };
  };
  const crashes = id % CRASH === 0;
  switch (step.act) {
    case "create": {
      const task = `task-${id}`;
      world.tasks.push(task);
      makeHere(device, "title", task, `k${id}`);
      await edit(device, [task], [createTask({ id: task, title: `k${id}` })]);
      return `creates ${task}`;
    }
    case "title":
    case "colour":
    case "tab":
    case "note":
      return addToken(device, step, step.act);
    case "remove": {
      const child = choose(childrenOf(device), pick);
      if (child === undefined) return null;
      const { task, token, list, at } = child;
      const [noted] = await edit(
        device,
        [task],
        [(list === "pages" ? removeTabs : removeNotes)(task, [at])],
      );
      if (noted)
        ledger.removals.push({ token, task, by: device.name, order: noted.order, edit: noted });
      return `removes ${token} from ${task}`;
    }
    case "reorder": {
      const task = choose(alive(device), pick);
      const count = task === undefined ? 0 : (payloadOf(device, task).pages?.length ?? 0);
      if (task === undefined || count < 2) return null;
      await edit(device, [task], [moveTabs(task, [0], task)]);
      return `reorders ${task}`;
    }
    case "move": {
      const child = choose(childrenOf(device), pick);
      const to = choose(
        alive(device).filter(
          (task) => child && !tokensIn(payloadOf(device, task)).has(child.token),
        ),
        pick >> 8,
      );
      if (child === undefined || to === undefined) return null;
      const { task, token, list, at } = child;
      await edit(device, [task, to], [(list === "pages" ? moveTabs : moveNotes)(task, [at], to)]);
      ledger.moves.push({ token, order: ledger.order });
      return `moves ${token} from ${task} to ${to}`;
    }
    case "delete": {
      const task = choose(alive(device), pick);
      if (task === undefined) return null;
      await edit(device, [task], [remove("sync_tasks", task)]);
      return `deletes ${task}`;
    }
    case "revive": {
      const task = choose([...client.state().deletedTasks.keys()], pick);
      if (task === undefined) return null;
      ledger.revivals.push({ task, by: device.name, order: ledger.order });
      await edit(device, [task], [revive("sync_tasks", task)]);
      return `un-deletes ${task}`;
    }
    case "push, reply lost":
    case "pull, reply lost": {
      const method = step.act.startsWith("push") ? "POST" : "GET";
      before(method, async () => {
        if (crashes) await device.crash();
        throw new TypeError("The line broke.");
      });
      return syncWith(`syncs; the reply to ${method} is lost${crashes ? " in a crash" : ""}`);
    }
    case "push, edit meanwhile":
    case "pull, edit meanwhile": {
      const method = step.act.startsWith("push") ? "POST" : "GET";
      let said: string | null = null;
      before(method, async () => {
        pass(world, 200);
        const place = (["tab", "title", "colour"] as const)[pick % 3] ?? "tab";
        said = await addToken(device, step, place);
        if (crashes) await device.crash();
      });
      await sync(device);
      return `syncs; before the reply to ${method} ${said ?? "nothing happens"}${crashes ? ", and a crash" : ""}`;
    }
    case "push again":
      await device.crash();
      return "crashes";
    default:
      return syncWith("syncs");
  }
};

const ROUNDS = 12;

/** Everybody syncs until all hold the same. Returns whether that happened. */
const settle = async (world: World, devices: readonly Device[]): Promise<boolean> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const device of devices) {
      pass(world, 1_000);
      await sync(device);
    }
    const rows = await look(world);
    const isQuiet = devices.every((device) => device.client.state().waiting === 0);
    if (isQuiet && devices.every((device) => apart(device, rows).length === 0)) return true;
  }
  return false;
};

const apart = (device: Device, rows: ReadonlyMap<string, Row>): readonly string[] => {
  const mine = rowsOf(device);
  return [...new Set([...mine.keys(), ...rows.keys()])].flatMap((id) => {
    const [here, there] = [mine.get(id), rows.get(id)];
    const same =
      here &&
      there &&
      Date.parse(here.updated_at) === Date.parse(there.updated_at) &&
      (here.deleted_at === null) === (there.deleted_at === null) &&
      Bun.deepEquals(here.payload, there.payload);
    return same ? [] : [`apart: ${device.name} holds another ${id} than the server.`];
  });
};

const finish = async (world: World, devices: readonly Device[]): Promise<readonly string[]> => {
  const { ledger } = world;
  let quiet = await settle(world, devices);
  const [first] = devices;
  const buried = buriedIn(world, await look(world));
  if (first && buried.size > 0) {
    for (const task of buried) ledger.revivals.push({ task, by: first.name, order: ledger.order });
    await edit(
      first,
      [...buried],
      [...buried].map((task) => revive("sync_tasks", task)),
    );
    quiet = (await settle(world, devices)) && quiet;
  }
  const rows = await look(world);
  const problems = devices.flatMap(({ name, client }) => {
    const { sync: state, refused, waiting } = client.state();
    const fine = state.kind === "idle" && refused.length === 0 && waiting === 0;
    return fine ? [] : [`stuck: ${name} is ${JSON.stringify({ state, refused, waiting })}`];
  });
  return [
    ...(quiet ? [] : ["not quiet"]),
    ...problems,
    ...devices.flatMap((device) => apart(device, rows)),
    ...[...rows.values()].flatMap((row) => doubledIn(row).map((token) => `doubled: ${token}`)),
    ...[...ledger.tokens.values()].flatMap((token) => {
      if (isBack(ledger, rows, token)) return [`back: ${token.token} of ${token.by}`];
      if (isThere(rows, token) || judge(ledger, rows, token) !== "lost") return [];
      if (isOutdone(ledger, token)) return [];
      return [`lost: ${token.place} ${token.token} of ${token.by} (${token.task})`];
    }),
  ];
};

/**
 * Whether another device gave the field a value no earlier. The judge takes an edit as a whole; the core knows when each
 * field of it was changed, and sends the later one.
 */
const isOutdone = (ledger: Ledger, token: Token): boolean =>
  [...ledger.tokens.values()].some(
    (rival) =>
      rival !== token &&
      rival.task === token.task &&
      rival.place === token.place &&
      (token.place === "title" || token.place === "colour") &&
      [token, rival].every(({ over }) => over === "sync") &&
      putAt(ledger, rival) >= putAt(ledger, token),
  );

/** When a device put a token there, by its own clock. */
const putAt = ({ edits }: Ledger, { by, token }: Token): number =>
  edits.find((one) => one.by === by && one.holds.has(token))?.stamp ?? 0;

/** Tasks in which something is that its deleter had not seen. It comes back with the task. */
const buriedIn = ({ ledger }: World, rows: ReadonlyMap<string, Row>): ReadonlySet<string> =>
  new Set(
    [...ledger.tokens.values()]
      .filter((token) => rows.get(token.task)?.deleted_at && judge(ledger, rows, token) === "lost")
      .map(({ task }) => task),
  );
