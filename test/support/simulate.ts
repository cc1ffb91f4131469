import { keyOf, type Row } from "./client.ts";
import { type Device, newDevice } from "./device.ts";
import type { History, Which } from "./histories.ts";
import { newestTime } from "./network.ts";
import { play } from "./play.ts";
import { watch } from "../model/_watch.ts";
import type { World } from "./world.ts";

/**
 * Plays a history, then lets the network heal: all devices pull, push and pull. If the world can be
 * inspected, every step is checked against the rules as it happens. Returns where a device and the server
 * disagree in the end, which must be nowhere.
 */
export const simulate = async (world: World, history: History): Promise<readonly string[]> => {
  const offs = history.devices.map(({ skew }) => skew);
  const devices = history.devices.map((habits, at) =>
    newDevice(habits, () => world.time() + (offs[at] ?? 0)),
  );
  const watching = world.inside && watch(world.inside);
  const stage = { world, devices, offs, watching, newest: newestTime(), texts: 0 };
  for (const step of history.steps) {
    world.wait(history.pace);
    await play(stage, step);
  }
  for (const phase of ["pull", "push", "pull"] as const) {
    world.wait(history.pause);
    for (const at of devices.keys()) await play(stage, { do: phase, device: at as Which, ...CALM });
  }
  const stored = await world.stored();
  await watching?.end();
  return devices.flatMap((device, which) => differences(device, stored, which));
};

const CALM = { fate: "answered", limit: null, meanwhile: null, twice: false } as const;

const differences = (device: Device, stored: readonly Row[], which: number): readonly string[] => {
  const server = new Map(stored.map((row) => [keyOf(row), bare(row)]));
  const keys = new Set([...server.keys(), ...device.records.keys()]);
  return [...keys].flatMap((key) => {
    const [mine, theirs] = [device.records.get(key), server.get(key)];
    if (Bun.deepEquals(mine, theirs)) return [];
    return [`device ${which} has ${JSON.stringify(mine)}, the server ${JSON.stringify(theirs)}`];
  });
};

const bare = ({ table, id, updated_at, deleted_at, payload }: Row): Row => ({
  table,
  id,
  updated_at,
  deleted_at,
  payload,
});
