import { childTokens } from "./content.ts";
import * as on from "./device.ts";
import type { Device } from "./device.ts";
import * as world from "./world.ts";
import type { World } from "./world.ts";

/** What may be switched on and off in histories; all else is always on. */
export const FEATURES = [
  "removals",
  "fields over REST",
  "set backs",
  "moves",
  "deletions",
  "recalls",
  "reorders",
  "person over REST",
  "lost replies",
  "lost requests",
  "repeats",
  "late duplicates",
  "in flight",
  "undo",
  "crashes",
  "restores",
  "returns in any order",
  "server clock",
  "device clocks",
] as const;

export type Feature = (typeof FEATURES)[number];

/** One thing that happens. `pick` chooses among what is there at that moment, so that a step means something anywhere. */
export type Step = {
  readonly id: number;
  /** ms that pass before. */
  readonly after: number;
  readonly who: string;
  readonly act: Act;
  readonly pick: number;
};

export type Act = keyof typeof ON_DEVICES | keyof typeof OVER_REST | keyof typeof ON_SERVER;

type OnDevice = (
  device: Device,
  step: Step,
  known: World,
) => Promise<string | null> | string | null;
type Elsewhere = (known: World, step: Step) => Promise<string | null> | string | null;

const choose = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length];

const alive = (device: Device): readonly string[] =>
  [...device.rows.values()].flatMap(({ id, deleted_at }) => (deleted_at === null ? [id] : []));

const tokenFor = ({ id }: Step): string => `k${id}`;

/** A short name of a task: those that agents file have long ones. */
const short = (known: World, task: string): string => `t${known.tasks.indexOf(task) + 1}`;

const setField =
  (place: "colour" | "title"): OnDevice =>
  (device, step, known) => {
    const task = choose(alive(device), step.pick);
    if (task === undefined) return null;
    on.setField(device, task, place, tokenFor(step));
    return `sets the ${place} of ${short(known, task)} to ${tokenFor(step)}`;
  };

const addChild =
  (place: "note" | "tab"): OnDevice =>
  (device, step, known) => {
    const task = choose(alive(device), step.pick);
    if (task === undefined) return null;
    on.addChild(device, task, place, tokenFor(step));
    return `adds ${place} ${tokenFor(step)} to ${short(known, task)}`;
  };

/** A tab or note of a live task that the device holds. */
const childOf = (device: Device, pick: number): { task: string; token: string } | undefined =>
  choose(
    alive(device).flatMap((task) =>
      childTokens(on.payloadOf(device, task)).map((token) => ({ task, token })),
    ),
    pick,
  );

const holds = (device: Device, task: string, token: string): boolean =>
  childTokens(on.payloadOf(device, task)).includes(token);

/** An edit for the moment between a request and its reply. */
const meanwhile = (device: Device, step: Step, known: World) => {
  let line = "";
  const edit =
    step.pick % 3 === 0 ? addChild("tab") : setField(step.pick % 3 === 1 ? "title" : "colour");
  return {
    edit: () => {
      world.pass(known, 200);
      line = (edit(device, step, known) as string | null) ?? "nothing happens";
    },
    said: () => line,
  };
};

const ON_DEVICES = {
  create: (device, step, known) => {
    const task = `task-${step.id}`;
    known.tasks.push(task);
    on.createTask(device, task, tokenFor(step));
    return `creates ${short(known, task)} with the title ${tokenFor(step)}`;
  },
  title: setField("title"),
  colour: setField("colour"),
  "set back": (device, { pick }, known) => {
    const fields = alive(device).flatMap((task) =>
      (["title", "colour"] as const)
        .filter((place) => on.earlierValue(device, task, place) !== null)
        .map((place) => ({ task, place })),
    );
    const field = choose(fields, pick);
    if (field === undefined) return null;
    on.setBack(device, field.task, field.place);
    const value = on.payloadOf(device, field.task)[field.place];
    return `sets the ${field.place} of ${short(known, field.task)} back to ${value}`;
  },
  tab: addChild("tab"),
  note: addChild("note"),
  remove: (device, { pick }, known) => {
    const child = childOf(device, pick);
    if (child === undefined) return null;
    on.removeChild(device, child.task, child.token);
    return `removes ${child.token} from ${short(known, child.task)}`;
  },
  reorder: (device, { pick }, known) => {
    const task = choose(alive(device), pick);
    if (task === undefined || childTokens(on.payloadOf(device, task)).length < 2) return null;
    on.reorder(device, task);
    return `reorders ${short(known, task)}`;
  },
  move: (device, { pick }, known) => {
    const child = childOf(device, pick);
    const to = choose(
      alive(device).filter((task) => child && !holds(device, task, child.token)),
      pick >> 8,
    );
    if (child === undefined || to === undefined) return null;
    on.moveChild(device, child.task, to, child.token);
    return `moves ${child.token} from ${short(known, child.task)} to ${short(known, to)}`;
  },
  delete: (device, { pick }, known) => {
    const task = choose(alive(device), pick);
    if (task === undefined) return null;
    on.deleteTask(device, task);
    return `deletes ${short(known, task)}`;
  },
  revive: (device, { pick }, known) => {
    const dead = [...device.rows.values()].filter(({ deleted_at }) => deleted_at !== null);
    const task = choose(dead, pick)?.id;
    if (task === undefined) return null;
    on.reviveTask(device, task);
    return `un-deletes ${short(known, task)}`;
  },
  recall: (device, { pick }, known) => {
    const dead = [...device.rows.values()].filter(({ deleted_at }) => deleted_at !== null);
    const task = choose(
      dead.filter(({ id }) => device.memory.has(id)),
      pick,
    )?.id;
    if (task === undefined) return null;
    on.recallTask(device, task);
    return `un-deletes ${short(known, task)} as it remembers it`;
  },
  push: async (device) => {
    if (device.waiting.size === 0) return null;
    await on.push(device);
    return "pushes";
  },
  "push, reply lost": async (device) => {
    if (device.waiting.size === 0) return null;
    await on.push(device, "reply lost");
    return "pushes, and the reply is lost";
  },
  "push, request lost": async (device) => {
    if (device.waiting.size === 0) return null;
    await on.push(device, "request lost");
    return "pushes, and the request is lost";
  },
  "push, edit meanwhile": async (device, step, known) => {
    if (device.waiting.size === 0) return null;
    const { edit, said } = meanwhile(device, step, known);
    await on.push(device, "answered", edit);
    return `pushes, and before the reply ${said()}`;
  },
  "push again": async (device) => {
    if (device.past.length === 0) return null;
    await on.repeatPush(device);
    return "sends its last push again";
  },
  "push an old one again": async (device, { pick }) => {
    if (device.past.length === 0) return null;
    const before = pick % device.past.length;
    await on.repeatPush(device, before);
    return `has a push arrive once more, the last but ${before}`;
  },
  sync: async (device) => {
    await on.pull(device);
    if (device.habits.knows === "specification") await on.push(device);
    return device.habits.knows === "guide" ? "pushes and pulls" : "pulls and pushes";
  },
  "pull, reply lost": async (device) => {
    await on.pull(device, "reply lost");
    return "pushes and pulls, and the pull's reply is lost";
  },
  "pull, edit meanwhile": async (device, step, known) => {
    const { edit, said } = meanwhile(device, step, known);
    await on.pull(device, "answered", edit);
    return `pushes and pulls, and before the pull's reply ${said()}`;
  },
} satisfies Readonly<Record<string, OnDevice>>;

const fileInto =
  (place: "note" | "colour" | "tab" | "title", words: string): Elsewhere =>
  async (known, step) => {
    const task = choose(known.tasks, step.pick);
    if (task === undefined) return null;
    const isDone = await world.fileInto(known, step.who, task, place, tokenFor(step));
    return isDone ? `${words} ${tokenFor(step)} (${short(known, task)})` : null;
  };

const OVER_REST = {
  "REST task": async (known, step) => {
    const task = await world.fileTask(known, step.who, tokenFor(step));
    return `files ${short(known, task)} with the title ${tokenFor(step)}`;
  },
  "REST inbox": async (known, step) => {
    const task = await world.fileInInbox(known, step.who, tokenFor(step));
    return `files tab ${tokenFor(step)} into the inbox (${short(known, task)})`;
  },
  "REST title": fileInto("title", "sets the title to"),
  "REST colour": fileInto("colour", "sets the colour to"),
  "REST tab": fileInto("tab", "files tab"),
  "REST note": fileInto("note", "files note"),
} satisfies Readonly<Record<string, Elsewhere>>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const ON_SERVER = {
  kill: async ({ server }) => {
    await server.kill();
    return "the server is killed and started";
  },
  restart: async ({ server }) => {
    await server.restart();
    return "the server is restarted";
  },
  backup: async (known) => {
    await world.makeBackup(known);
    return "a backup is made";
  },
  restore: async (known, { pick }) => {
    if (known.backup === null) return null;
    await world.restore(known, known.backup);
    known.order = world.inAnyOrder([...known.devices.values()], pick);
    return "the backup is restored";
  },
  undo: async (known, { pick }) => {
    const key = choose(["bot", "cat"], pick) ?? "bot";
    const back = choose([MINUTE, 10 * MINUTE, 24 * HOUR], pick >> 4) ?? MINUTE;
    await world.undo(known, key, back);
    return `the owner undoes what ${key} did in the last ${back / MINUTE} min`;
  },
  clock: (known, { pick }) => {
    const off = choose([0, 3 * MINUTE, -3 * MINUTE, HOUR, -HOUR, 24 * HOUR, -24 * HOUR], pick) ?? 0;
    world.setClock(known, off);
    return `the server's clock is set to ${off / MINUTE} min from the true time`;
  },
} satisfies Readonly<Record<string, Elsewhere>>;

/** Takes a step. Where there is nothing to do, nothing happens and nothing is said. */
export const take = async (known: World, step: Step): Promise<void> => {
  world.pass(known, step.after);
  const device = known.devices.get(step.who);
  const { act } = step;
  const line = device
    ? await (ON_DEVICES as Readonly<Record<string, OnDevice>>)[act]?.(device, step, known)
    : await ({ ...OVER_REST, ...ON_SERVER } as Readonly<Record<string, Elsewhere>>)[act]?.(
        known,
        step,
      );
  if (line) world.say(known, isOnServer(act) ? line : `${step.who} ${line}`);
};

const isOnServer = (act: string): boolean => act in ON_SERVER;
