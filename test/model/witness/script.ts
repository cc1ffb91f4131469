import * as on from "./device.ts";
import type { Device, Fate, Habits } from "./device.ts";
import { PLAIN } from "./history.ts";
import { finish, type Outcome } from "./play.ts";
import type { Server } from "./server.ts";
import * as world from "./world.ts";
import type { World } from "./world.ts";

/** A history that somebody wrote down. */
export type Script = {
  /** How the devices differ from those that know the guide and have the right time. */
  readonly habits?: Readonly<Record<string, Partial<Habits>>>;
  /** One thing after the other, with commas between them, each beginning with who does it. */
  readonly happens: string;
};

const USUAL: Habits = {
  skew: 0,
  knows: "guide",
  names: "base",
  resends: true,
  onCollision: "forget the reply",
  limit: null,
};

const REST: readonly string[] = world.OVER_REST;

/** Plays it, a second between two things, and then what follows each history: everybody syncs, and the judge looks. */
export const playScript = async (
  server: Server,
  { habits = {}, happens }: Script,
  start: number,
): Promise<Outcome> => {
  const script = happens.split(", ").map((line) => line.split(" "));
  const names = script.map(([who = ""]) => who).filter((who) => who.length === 1);
  const devices = [...new Set(names)].map((name): [string, Habits] => {
    const usual: Habits = habits[name]?.knows === "specification" ? { ...USUAL, ...PLAIN } : USUAL;
    return [name, { ...usual, ...habits[name] }];
  });
  const known = await world.newWorld(server, start, new Map(devices));
  for (const words of script) {
    world.pass(known, 1_000);
    world.say(known, words.join(" "));
    await follow(known, words);
  }
  return finish(known);
};

const follow = async (known: World, [who = "", verb = "", ...rest]: readonly string[]) => {
  const device = known.devices.get(who);
  if (device) return onDevice(known, device, verb, rest);
  if (REST.includes(who)) return overRest(known, who, verb, rest);
  return onServer(known, verb, rest);
};

const onDevice = async (
  known: World,
  device: Device,
  verb: string,
  [first = "", second = "", third = ""]: readonly string[],
): Promise<void> => {
  const fates: Readonly<Record<string, Fate>> = {
    lost: "reply lost",
    "lost-request": "request lost",
  };
  const fate = fates[first] ?? "answered";
  switch (verb) {
    case "creates":
      known.tasks.push(first);
      return on.createTask(device, first, second);
    case "title":
    case "colour":
      return on.setField(device, first, verb, second);
    case "sets-back":
      return on.setBack(device, first, second === "title" ? "title" : "colour");
    case "tab":
    case "note":
      return on.addChild(device, first, verb, second);
    case "removes":
      return on.removeChild(device, first, second);
    case "moves":
      return on.moveChild(device, second, third, first);
    case "deletes":
      return on.deleteTask(device, first);
    case "revives":
      return on.reviveTask(device, first);
    case "recalls":
      return on.recallTask(device, first);
    case "pushes":
      return void (await on.push(device, fate));
    case "pulls":
      return void (await on.pull(device, fate));
    case "pulls+title":
      return void (await on.pull(device, "answered", () => {
        world.pass(known, 200);
        on.setField(device, first, "title", second);
      }));
    case "repeats":
      return on.repeatPush(device, Number(first || 1) - 1);
    default:
      throw new Error(`No device can do "${verb}".`);
  }
};

const overRest = async (
  known: World,
  who: string,
  verb: string,
  [task = "", token = ""]: readonly string[],
): Promise<void> => {
  if (verb !== "title" && verb !== "colour" && verb !== "tab" && verb !== "note")
    throw new Error(`Nobody can do "${verb}" over REST.`);
  if (!(await world.fileInto(known, who, task, verb, token)))
    throw new Error(`${task} was not found.`);
};

const onServer = async (
  known: World,
  verb: string,
  [first = ""]: readonly string[],
): Promise<void> => {
  switch (verb) {
    case "killed":
      return known.server.kill();
    case "backup":
      return world.makeBackup(known);
    case "restored":
      return world.restore(known, known.backup ?? "");
    case "undoes":
      return world.undo(known, first, 3_600_000);
    case "clock":
      return world.setClock(known, Number(first) * 60_000);
    case "waits":
      return world.pass(known, Number(first) * 60_000);
    default:
      throw new Error(`A server cannot do "${verb}".`);
  }
};
