import { keyOf, type PullReply, type Row, rowsOf, type Wire } from "./_client.ts";
import { type Device, newDevice, pull, push, type Sent } from "./_device.ts";
import { edit, valueOf } from "./_edits.ts";
import type { History, Step, Which } from "./_histories.ts";
import { type Watch, watch } from "./model/_watch.ts";
import type { World } from "./_world.ts";

/** What came of a history. */
export type Outcome = {
  /** Where a device and the server do not agree in the end, which must be nowhere. */
  readonly apart: readonly string[];
  /** How often what can be known of a device kept less than what it really knew would have. */
  readonly counts: Watch extends { end: () => Promise<infer Counts> } ? Counts : never;
};

/**
 * Plays a history, then lets the network heal: all devices pull, push and pull. Where the world can be
 * looked into, every step is held against the contract as it happens.
 */
export const simulate = async (world: World, history: History): Promise<Outcome> => {
  const offs = history.devices.map(({ skew }) => skew);
  const devices = history.devices.map((habits, at) =>
    newDevice(habits, () => world.time() + (offs[at] ?? 0)),
  );
  const watching = world.inside && watch(world, world.inside);
  const play = player(world, devices, offs, watching);
  for (const step of history.steps) await play(step);
  for (const phase of ["pull", "push", "pull"] as const) {
    world.wait(history.pause);
    for (const at of devices.keys()) await play({ do: phase, device: at as Which, ...CALM });
  }
  const stored = await world.stored();
  const apart = devices.flatMap((device, which) => differences(device, stored, which));
  return { apart, counts: (await watching?.end()) ?? { children: 0, fields: 0 } };
};

const CALM = { fate: "answered", limit: null, meanwhile: null, twice: false } as const;

const player = (
  world: World,
  devices: readonly Device[],
  offs: number[],
  watching: Watch | null,
) => {
  const look = watcher();
  let texts = 0;
  const seat = (which: Which) => {
    const at = (which % devices.length) as Which;
    return { at, device: devices[at] as Device };
  };
  const wireOf = (which: Which, meanwhile: () => Promise<void> = nothing): Wire => {
    const { at, device } = seat(which);
    const wire = look(world.wire(at, once(meanwhile)), at);
    return watching ? watching.wire(wire, device, at) : wire;
  };
  const agent = async (step: Extract<Step, { do: "agent" }>): Promise<void> => {
    const tasks = (await world.stored()).filter(({ table }) => table === "sync_tasks");
    const { key, act, pick, field } = step;
    const text = `agent-${(texts += 1)}`;
    const value = valueOf(field, field === "bucket_id" ? step.value % 2 : step.value);
    const call = { key, act, task: tasks[pick % tasks.length]?.id ?? "none", text, field, value };
    const calling = () => world.agent(call);
    await (watching ? watching.agent(call, calling) : calling());
  };
  const pushNow = async (
    which: Which,
    fate: "answered" | "reply lost" | "request lost",
    twice = false,
  ) => {
    const { device } = seat(which);
    const wire = wireOf(which);
    await push(device, twice ? repeating(wire, world) : wire, fate);
  };
  const play = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "edit":
        return edit(seat(step.device).device, step, `person-${(texts += 1)}`);
      case "pull": {
        const { device } = seat(step.device);
        if (device.habits.pushesFirst && device.drafts.size > 0) {
          await pushNow(step.device, step.fate);
          if (device.drafts.size > 0) return;
        }
        const limit = device.habits.cursor === "server_time" ? step.limit : null;
        return pull(
          device,
          wireOf(step.device, () => meanwhile(step)),
          { ...step, limit },
        );
      }
      case "push":
        return pushNow(step.device, step.fate, step.twice);
      case "replay": {
        const { device } = seat(step.device);
        const old = device.sent.at(-1 - step.pick);
        if (old) await replay(world, wireOf(step.device), old);
        return;
      }
      case "agent":
        return agent(step);
      case "owner": {
        const { inside } = world;
        if (inside) await watching?.owner(() => inside.owner(step.act, step.pick));
        return;
      }
      case "wait":
        return world.wait(step.ms);
      case "set clock":
        return world.setClock(step.off);
      case "set device's clock":
        offs[seat(step.device).at] = step.off;
        return;
      case "crash":
        if (step.off !== null) world.setClock(step.off);
        await world.crash();
        return watching?.crashed();
      case "restart":
        await world.restart();
        return watching?.crashed();
      case "backUp":
        await world.backUp();
        return watching?.backedUp();
      case "restore":
        if (!(await world.restore())) return;
        for (const { sent } of devices) sent.splice(0);
        return watching?.restored();
    }
  };
  const meanwhile = async (step: Extract<Step, { do: "pull" }>): Promise<void> => {
    if (step.meanwhile === "agent")
      await agent({
        do: "agent",
        key: 0,
        act: texts % 2 ? "tabs" : "patch",
        pick: texts,
        field: "title",
        value: texts % 3,
      });
    if (step.meanwhile === "other device")
      await pushNow(((step.device + 1) % devices.length) as Which, "answered");
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

/** The network delivers a push twice: the second time nothing is changed, and the same is answered. */
const repeating = (wire: Wire, world: World): Wire => ({
  ...wire,
  push: async (changes, since) => {
    const first = await wire.push(changes, since);
    const rows = await world.stored();
    const second = await wire.push(changes, since);
    same("a push again was answered", second, first);
    same("a push again made", await world.stored(), rows);
    return first;
  },
});

/** An old push again, after others: nothing is changed. */
const replay = async (world: World, wire: Wire, { changes, since }: Sent): Promise<void> => {
  const rows = await world.stored();
  await wire.push(changes, since);
  same("an old push again made", await world.stored(), rows);
};

const same = (what: string, found: unknown, before: unknown): void => {
  if (Bun.deepEquals(found, before)) return;
  throw new Error(`${what} ${JSON.stringify(found)}, not ${JSON.stringify(before)}`);
};

/**
 * Looks at every pull: `server_time` never goes back, whatever happened to the server (I2), and a pull
 * brings a record once (I5).
 */
const watcher = () => {
  let newest = "";
  return (wire: Wire, _which: Which): Wire => ({
    ...wire,
    pull: async (since, limit) => {
      const reply: PullReply = await wire.pull(since, limit);
      // A page's server_time is its last stamp: it comes before what is known already.
      if (!reply.has_more && limit === null) {
        if (reply.server_time < newest)
          throw new Error(`server_time went back from ${newest} to ${reply.server_time}`);
        newest = reply.server_time;
      }
      const keys = rowsOf(reply).map(keyOf);
      if (new Set(keys).size < keys.length) throw new Error(`a pull brought a row twice: ${keys}`);
      return reply;
    },
  });
};

const differences = (device: Device, stored: readonly Row[], which: number): readonly string[] => {
  const server = new Map(stored.map((row) => [keyOf(row), row]));
  const keys = new Set([...server.keys(), ...device.records.keys()]);
  return [...keys].flatMap((key) => {
    const mine = device.records.get(key);
    const theirs = server.get(key);
    const row = theirs && {
      table: theirs.table,
      id: theirs.id,
      updated_at: theirs.updated_at,
      deleted_at: theirs.deleted_at,
      payload: theirs.payload,
    };
    if (Bun.deepEquals(mine, row)) return [];
    return [`device ${which} has ${JSON.stringify(mine)}, the server ${JSON.stringify(row)}`];
  });
};
