import { formatInstant, type Instant } from "../../../src/domain/base/instant.ts";
import { type Child, LISTS, newNote, newTab, type Payload, type Row } from "./_content.ts";
import { tokenOfChild, tokensIn } from "./_content.ts";
import { type Edit, type Ledger, learn, make, type Place, reach, see } from "./_ledger.ts";
import type { Server } from "./_server.ts";
import { ask, type Change, type PullReply, type PushReply } from "./_wire.ts";

export type Habits = {
  /** ms by which its clock is off. */
  readonly skew: number;
  /** Whether it does all that the guide on sync asks, or knows the specification alone. */
  readonly knows: "guide" | "specification";
  /** Whether it names the version on which it made an edit. */
  readonly namesBase: boolean;
  /** What it does with a pull's reply if there was an edit meanwhile. */
  readonly onCollision: "forget the reply" | "keep the edit";
};

/** What a device needs of the world around it. */
export type Surroundings = {
  readonly server: Server;
  readonly ledger: Ledger;
  /** The true time. */
  readonly time: () => Instant;
  readonly token: string;
};

/** What becomes of a request. */
export type Fate = "answered" | "reply lost";

/** `base` is the `updated_at` of the version on which it was made here. */
type Held = Row & { readonly edit?: Edit; readonly base?: string | null; isSent?: boolean };
type Sent = { readonly rows: readonly Held[]; readonly path: string };

/** A browser with the extension, which a person works with. */
export type Device = {
  readonly name: string;
  readonly habits: Habits;
  readonly rows: Map<string, Held>;
  /** Tasks with edits that are not pushed yet. */
  readonly waiting: Set<string>;
  cursor: string | null;
  epoch: string | null;
  last: Sent | null;
  clock: Instant;
  readonly world: Surroundings;
};

export const newDevice = (name: string, habits: Habits, world: Surroundings): Device => ({
  name,
  habits,
  rows: new Map(),
  waiting: new Set(),
  cursor: null,
  epoch: null,
  last: null,
  clock: 0,
  world,
});

export const payloadOf = ({ rows }: Device, task: string): Payload => rows.get(task)?.payload ?? {};

/** The person changes a task on this device. */
const change = (
  device: Device,
  task: string,
  payload: Payload,
  { isDeleted = false, stamp = stampFor(device, task) } = {},
): Edit => {
  const { ledger } = device.world;
  const edit: Edit = {
    order: ledger.order++,
    by: device.name,
    task,
    holds: tokensIn(payload),
    isDeleted,
    isResent: false,
    stamp,
    reached: null,
  };
  ledger.edits.push(edit);
  const updated_at = formatInstant(stamp);
  const deleted_at = isDeleted ? updated_at : null;
  const before = device.rows.get(task);
  // What never left this device is no version that the server can know.
  const base = before?.edit && !before.isSent ? before.base : before?.updated_at;
  device.rows.set(task, { id: task, updated_at, deleted_at, payload, edit, base: base ?? null });
  device.waiting.add(task);
  return edit;
};

/** Its clock is wrong, but never stands still. */
const tick = (device: Device): Instant => {
  device.clock = Math.max(device.clock + 1, device.world.time() + device.habits.skew);
  return device.clock;
};

/** Later than the row that is edited, as the guide has it. */
const stampFor = (device: Device, task: string): Instant => {
  const now = tick(device);
  const row = device.rows.get(task);
  return row && device.habits.knows === "guide"
    ? Math.max(now, Date.parse(row.updated_at) + 1)
    : now;
};

const makeHere = (device: Device, place: Place, task: string, token: string): void =>
  make(device.world.ledger, { token, place, task, by: device.name, over: "sync" });

export const createTask = (device: Device, task: string, token: string): void => {
  makeHere(device, "title", task, token);
  change(device, task, { title: token, colour: "plain", pages: [], notes: [] });
};

export const setField = (
  device: Device,
  task: string,
  place: "colour" | "title",
  token: string,
): void => {
  makeHere(device, place, task, token);
  change(device, task, { ...payloadOf(device, task), [place]: token });
};

export const addChild = (
  device: Device,
  task: string,
  place: "note" | "tab",
  token: string,
): void => {
  makeHere(device, place, task, token);
  const payload = payloadOf(device, task);
  const list = place === "tab" ? "pages" : "notes";
  const child = { id: `child-${token}`, ...(place === "tab" ? newTab(token) : newNote(token)) };
  change(device, task, { ...payload, [list]: [...(payload[list] ?? []), child] });
};

export const removeChild = (device: Device, task: string, token: string): void => {
  const { ledger } = device.world;
  const edit = change(device, task, without(payloadOf(device, task), token));
  ledger.removals.push({ token, task, by: device.name, order: edit.order, edit });
};

const without = (payload: Payload, token: string): Payload => ({
  ...payload,
  ...Object.fromEntries(
    LISTS.map((list) => [list, (payload[list] ?? []).filter((one) => tokenOfChild(one) !== token)]),
  ),
});

export const reorder = (device: Device, task: string): void => {
  const payload = payloadOf(device, task);
  const pages = (payload.pages ?? []).toReversed();
  change(device, task, { ...payload, pages, notes: (payload.notes ?? []).toReversed() });
};

export const moveChild = (device: Device, from: string, to: string, token: string): void => {
  const source = payloadOf(device, from);
  const target = payloadOf(device, to);
  const stamp = Math.max(stampFor(device, from), stampFor(device, to));
  for (const list of LISTS) {
    const child = (source[list] ?? []).find((one: Child) => tokenOfChild(one) === token);
    if (child === undefined) continue;
    change(device, from, without(source, token), { stamp });
    change(device, to, { ...target, [list]: [...(target[list] ?? []), child] }, { stamp });
    device.world.ledger.moves.push({ token, order: device.world.ledger.order });
  }
};

export const deleteTask = (device: Device, task: string): void => {
  change(device, task, payloadOf(device, task), { isDeleted: true });
};

export const reviveTask = (device: Device, task: string): void => {
  const { ledger } = device.world;
  ledger.revivals.push({ task, by: device.name, order: ledger.order });
  change(device, task, payloadOf(device, task));
};

/** Pushes what waits. `meanwhile` happens between the request and the reply. */
export const push = async (
  device: Device,
  fate: Fate = "answered",
  meanwhile: () => void = () => {},
): Promise<boolean> => {
  if (device.waiting.size === 0) return true;
  const rows = [...device.waiting].flatMap((task) => device.rows.get(task) ?? []);
  const names = device.habits.knows === "guide" && device.cursor !== null;
  const path = names ? `/sync?since=${encodeURIComponent(device.cursor ?? "")}` : "/sync";
  for (const row of rows) row.isSent = true;
  device.last = { rows: rows.map((row) => withEdit(device, row)), path };
  const reply = await send(device, device.last);
  meanwhile();
  if (fate === "reply lost") return false;
  for (const row of rows) if (device.rows.get(row.id) === row) device.waiting.delete(row.id);
  for (const { id, server_row } of reply.rejected) {
    // What was edited again meanwhile is judged by the next push.
    if (!device.waiting.has(id)) store(device, server_row);
  }
  return true;
};

/** What it sends for the second time is sent as it was, also after a restore, when rows of others are among it. */
const withEdit = (device: Device, row: Held): Held => {
  if (row.edit) return row;
  const { ledger } = device.world;
  const edit: Edit = {
    order: ledger.order++,
    by: device.name,
    task: row.id,
    holds: tokensIn(row.payload),
    isDeleted: row.deleted_at !== null,
    isResent: true,
    stamp: Date.parse(row.updated_at),
    reached: null,
  };
  ledger.edits.push(edit);
  return { ...row, edit, base: row.updated_at };
};

/** The last push is sent once more, as it was; nobody waits for the reply. */
export const repeatPush = async (device: Device): Promise<void> => {
  if (device.last) await send(device, device.last);
};

const send = async (device: Device, { rows, path }: Sent): Promise<PushReply> => {
  const { server, ledger, token } = device.world;
  const { knows, namesBase } = device.habits;
  const isNaming = knows === "guide" && namesBase;
  for (const { edit } of rows) if (edit) reach(ledger, edit, server.now());
  const changes = rows.map(({ id, updated_at, deleted_at, payload, base }): Change => {
    const named = isNaming && base != null ? { base_updated_at: base } : {};
    const live = { table: "sync_tasks", id, updated_at, payload, ...named } as const;
    return deleted_at === null ? live : { ...live, deleted_at };
  });
  const reply = await ask<PushReply>(server.url(), token, "POST", path, changes);
  if (reply === null || reply.invalid.length > 0)
    throw new Error(`A push was not understood: ${JSON.stringify(reply)}`);
  for (const { server_row } of reply.rejected)
    learn(ledger, server_row.id, Date.parse(server_row.updated_at));
  return reply;
};

/** Pulls what is new. A device that knows the guide pushes first, and does not pull before it has an answer. */
export const pull = async (
  device: Device,
  fate: Fate = "answered",
  meanwhile: () => void = () => {},
): Promise<boolean> => {
  const { habits } = device;
  const knowsGuide = habits.knows === "guide";
  if (knowsGuide && !(await push(device))) return false;
  const reply = await askForChanges(device, device.cursor);
  meanwhile();
  if (fate === "reply lost") return false;
  if (knowsGuide && device.waiting.size > 0 && habits.onCollision === "forget the reply")
    return false;
  if (knowsGuide && device.epoch !== null && device.epoch !== reply.epoch)
    return startOver(device, reply.epoch);
  for (const row of reply.changes.sync_tasks) if (!device.waiting.has(row.id)) store(device, row);
  const { ledger } = device.world;
  if (device.cursor === null) ledger.heard.set(device.name, ledger.order++);
  device.cursor = reply.server_time;
  device.epoch = reply.epoch;
  return reply.changes.sync_tasks.length === 0;
};

/**
 * The server was restored: the device pushes all that it holds, without a `since`, and then pulls from nothing. What it
 * was given in the reply that told so comes again.
 */
const startOver = (device: Device, epoch: string): boolean => {
  device.cursor = null;
  device.epoch = epoch;
  for (const task of device.rows.keys()) device.waiting.add(task);
  return false;
};

const askForChanges = async (device: Device, since: string | null): Promise<PullReply> => {
  const { server, token } = device.world;
  const path = since === null ? "/sync" : `/sync?since=${encodeURIComponent(since)}`;
  const reply = await ask<PullReply>(server.url(), token, "GET", path);
  if (reply === null) throw new Error("There is no /sync.");
  return reply;
};

const store = (device: Device, { id, updated_at, deleted_at, payload }: Row): void => {
  device.rows.set(id, { id, updated_at, deleted_at, payload });
  see(device.world.ledger, device.name, tokensIn(payload));
};
