import { type Device, edit, keyOf, newDevice, pull, push, type Row, rowsOf } from "./_client.ts";
import type { Temperament, Wire } from "./_client.ts";
import type { AgentAct, History, Step, Which } from "./_histories.ts";
import type { Instant } from "../src/instant.ts";
import type { Table } from "../src/record.ts";

/** A server with one person's two devices and one agent, and hands that can do it harm. */
export type World = {
  /** The true time, by which the devices' clocks are off or not. */
  readonly time: () => Instant;
  readonly wait: (ms: number) => void;
  /** Sets the server's wall clock to the true time and `off` ms. */
  readonly setClock: (off: number) => void;
  /** `meanwhile` happens while a pull is being answered. */
  readonly wire: (device: Which, meanwhile: () => Promise<void>) => Wire;
  /** `pick` chooses among the tasks that there are; what is refused changes nothing. */
  readonly agent: (act: AgentAct, pick: number, text: string) => Promise<void>;
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly backUp: () => Promise<void>;
  /** Puts the last backup in the data's place, if there is one. */
  readonly restore: () => Promise<void>;
  /** What the server's database holds, read past all that is tested here. */
  readonly stored: () => Promise<readonly Row[]>;
  readonly end: () => Promise<void>;
};

const PICKED: Readonly<Record<Table, readonly string[]>> = {
  sync_tasks: ["t1", "t2", "t3"],
  sync_projects: ["p1"],
  sync_buckets: ["trash", "b1"],
};

/**
 * Plays a history, then lets the network heal: both devices pull, push and pull. Returns where a device and the server do not agree then, which must be nowhere.
 */
export const simulate = async (
  world: World,
  { skews, steps, pause }: History,
  temperament: Temperament,
): Promise<readonly string[]> => {
  const devices = skews.map((skew) => newDevice(temperament, () => world.time() + skew));
  const [laptop, phone] = devices as [Device, Device];
  const play = player(world, [laptop, phone]);
  for (const step of steps) await play(step);
  for (const phase of ["pull", "push", "pull"] as const) {
    world.wait(pause);
    for (const device of [0, 1] as const) await play({ do: phase, device, ...CALM });
  }
  const stored = await world.stored();
  return [laptop, phone].flatMap((device, which) => differences(device, stored, which));
};

const CALM = { fate: "answered", limit: null, meanwhile: null } as const;

const player = (world: World, devices: readonly [Device, Device]) => {
  const watch = watcher(devices);
  let texts = 0;
  const play = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "edit":
        return change(devices[step.device], step, `edit ${(texts += 1)}`);
      case "pull": {
        const wire = world.wire(step.device, once(meanwhile(step)));
        const limit = devices[step.device].temperament === "server_time" ? step.limit : null;
        const watched = watch(wire, step.device, step.fate === "answered");
        return pull(devices[step.device], watched, { ...step, limit });
      }
      case "push":
        return push(devices[step.device], world.wire(step.device, nothing), step.fate);
      case "agent":
        return world.agent(step.act, step.pick, `agent ${(texts += 1)}`);
      case "wait":
        return world.wait(step.ms);
      case "set clock":
        return world.setClock(step.off);
      case "crash":
        if (step.off !== null) world.setClock(step.off);
        return world.crash();
      default:
        return world[step.do]();
    }
  };
  const meanwhile = (step: Extract<Step, { do: "pull" }>) => async (): Promise<void> => {
    if (step.meanwhile === "agent") await play({ do: "agent", act: "tabs", pick: texts });
    if (step.meanwhile === "other device")
      await play({ do: "push", device: step.device === 0 ? 1 : 0, fate: "answered" });
  };
  return play;
};

const nothing = async (): Promise<void> => {};

const once = (act: () => Promise<void>) => {
  let done = false;
  return async (): Promise<void> => {
    if (done) return;
    done = true;
    await act();
  };
};

/** A person edits, deletes or revives a record that the device knows, or makes one. */
const change = (
  device: Device,
  { table, pick, deleted }: Extract<Step, { do: "edit" }>,
  title: string,
): void => {
  const known = [...device.records.values()].filter((row) => row.table === table);
  const ids = [...new Set([...PICKED[table], ...known.map(({ id }) => id)])];
  const id = ids[pick % ids.length] ?? "t1";
  const payload = device.records.get(keyOf({ table, id }))?.payload ?? {};
  const bucket = pick % 4 === 3 ? { bucket_id: "b1" } : {};
  const kind = table === "sync_buckets" && pick > 3 ? { kind: "trash" } : {};
  edit(device, { table, id, deleted, payload: { ...payload, title, ...bucket, ...kind } });
};

/**
 * Looks at every pull: `server_time` never goes back, whatever happened to the server, and a device
 * that echoes it is given no version twice, unless the first time was lost.
 */
const watcher = (devices: readonly [Device, Device]) => {
  let newest = "";
  const given = [new Set<string>(), new Set<string>()] as const;
  return (wire: Wire, which: Which, arrives: boolean): Wire => ({
    ...wire,
    pull: async (since, limit) => {
      const reply = await wire.pull(since, limit);
      // A page's server_time is its last stamp: it comes before what is known already.
      if (!reply.has_more && limit === null) {
        if (reply.server_time < newest)
          throw new Error(`server_time went back from ${newest} to ${reply.server_time}`);
        newest = reply.server_time;
      }
      const { epoch, temperament } = devices[which];
      // After a restore everything comes again.
      if (reply.epoch !== epoch) given[which].clear();
      if (!arrives || reply.epoch !== epoch || temperament !== "server_time") return reply;
      for (const row of rowsOf(reply)) {
        const version = JSON.stringify(row);
        if (given[which].has(version)) throw new Error(`given to one device twice: ${version}`);
        given[which].add(version);
      }
      return reply;
    },
  });
};

const differences = (device: Device, stored: readonly Row[], which: number): readonly string[] => {
  const server = new Map(stored.map((row) => [keyOf(row), row]));
  const keys = new Set([...server.keys(), ...device.records.keys()]);
  return [...keys].flatMap((key) => {
    const [mine, theirs] = [device.records.get(key), server.get(key)];
    if (Bun.deepEquals(mine, theirs)) return [];
    return [`device ${which} has ${JSON.stringify(mine)}, the server ${JSON.stringify(theirs)}`];
  });
};
