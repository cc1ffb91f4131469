import type { Wire } from "./client.ts";
import { type Device, type Fate, pull, push } from "./device.ts";
import { edit, valueOf } from "./edits.ts";
import type { Step, Which } from "./histories.ts";
import { lookingAtPulls, type NewestTime, repeating, replay } from "./network.ts";
import type { Watch } from "../model/_watch.ts";
import type { World } from "./world.ts";

/** A history as far as it was played. */
export type Stage = {
  readonly world: World;
  readonly devices: readonly Device[];
  /** How far each device's clock is off, in ms. */
  readonly offs: number[];
  readonly watching: Watch | null;
  readonly newest: NewestTime;
  /** How many texts were made, so that none is made twice. */
  texts: number;
};

type Of<Do extends Step["do"]> = Extract<Step, { do: Do }>;

type Acts = { readonly [Do in Step["do"]]: (stage: Stage, step: Of<Do>) => Promise<void> | void };

/** Plays one step. Throws if anything breaks the rules. */
export const play = async (stage: Stage, step: Step): Promise<void> =>
  (ACTS[step.do] as (stage: Stage, step: Step) => Promise<void> | void)(stage, step);

const ACTS: Acts = {
  edit: (stage, step) => edit(seat(stage, step.device).device, step, newText(stage, "person")),
  pull: (stage, step) => pullOn(stage, step),
  push: (stage, step) => pushOn(stage, step),
  agent: (stage, step) => agentActs(stage, step),
  replay: async (stage, { device: which, pick }) => {
    const old = seat(stage, which).device.sent.at(-1 - pick);
    if (old) await replay(stage.watching, wireOf(stage, which), old);
  },
  owner: async ({ world: { inside }, watching }, { act, pick }) => {
    if (inside) await watching?.owner(() => inside.owner(act, pick));
  },
  wait: ({ world }, { ms }) => world.wait(ms),
  "set clock": ({ world }, { off }) => world.setClock(off),
  "set device's clock": (stage, { device: which, off }) => {
    stage.offs[seat(stage, which).at] = off;
  },
  crash: async ({ world, watching }, { off }) => {
    if (off !== null) world.setClock(off);
    await world.crash();
    await watching?.crashed();
  },
  restart: async ({ world, watching }) => {
    await world.restart();
    await watching?.crashed();
  },
  backUp: async ({ world, watching }) => {
    await world.backUp();
    watching?.backedUp();
  },
  restore: async ({ world, watching, devices }) => {
    if (!(await world.restore())) return;
    // Earlier pushes are news to a server that has lost them.
    for (const { sent } of devices) sent.splice(0);
    await watching?.restored();
  },
};

const newText = (stage: Stage, who: "agent" | "person"): string => `${who}-${(stage.texts += 1)}`;

const seat = ({ devices }: Stage, which: Which): { at: Which; device: Device } => {
  const at = (which % devices.length) as Which;
  return { at, device: devices[at] as Device };
};

const wireOf = (stage: Stage, which: Which, meanwhile = async (): Promise<void> => {}): Wire => {
  const { at } = seat(stage, which);
  const wire = lookingAtPulls(stage.world.wire(at, once(meanwhile)), stage.newest);
  return stage.watching ? stage.watching.wire(wire, at) : wire;
};

const once = (act: () => Promise<void>) => {
  let done = false;
  return async (): Promise<void> => {
    if (done) return;
    done = true;
    await act();
  };
};

const pullOn = async (stage: Stage, step: Of<"pull">): Promise<void> => {
  const { device } = seat(stage, step.device);
  if (device.habits.pushesFirst && device.drafts.size > 0) {
    await pushOn(stage, step);
    if (device.drafts.size > 0) return;
  }
  const limit = device.habits.cursor === "server_time" ? step.limit : null;
  await pull(
    device,
    wireOf(stage, step.device, () => meanwhile(stage, step)),
    { ...step, limit },
  );
};

const meanwhile = (stage: Stage, { device, meanwhile: what }: Of<"pull">): Promise<void> => {
  const { texts, devices } = stage;
  if (what === "other device") {
    const other = ((device + 1) % devices.length) as Which;
    return pushOn(stage, { device: other, fate: "answered" });
  }
  const act = texts % 2 === 0 ? "patch" : "tabs";
  const call = { act, key: 0, pick: texts, field: "title", value: texts % 3 } as const;
  return what === "agent" ? agentActs(stage, call) : Promise.resolve();
};

type Pushing = { readonly device: Which; readonly fate: Fate; readonly twice?: boolean };

const pushOn = async (stage: Stage, { device: which, fate, twice }: Pushing): Promise<void> => {
  const wire = wireOf(stage, which);
  const { watching } = stage;
  await push(seat(stage, which).device, twice && watching ? repeating(wire, watching) : wire, fate);
};

const agentActs = async (stage: Stage, step: Omit<Of<"agent">, "do">): Promise<void> => {
  const { world, watching } = stage;
  const { key, act, pick, field } = step;
  const rows = watching ? watching.rows() : await world.stored();
  const tasks = rows.filter(({ table }) => table === "sync_tasks");
  const task = tasks[pick % tasks.length]?.id ?? "none";
  // No key may put anything into the trash.
  const value = valueOf(field, field === "bucket_id" ? step.value % 2 : step.value);
  const call = { key, act, task, text: newText(stage, "agent"), field, value };
  const calling = () => world.agent(call);
  await (watching ? watching.agent(call, calling) : calling());
};
