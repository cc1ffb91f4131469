import { formatInstant, type Instant } from "../../../src/domain/base/instant.ts";
import { type Child, LISTS, newNote, newTab, type Payload, type Row } from "./content.ts";
import { tokenOfChild, tokensIn } from "./content.ts";
import { assure, type Edit, type Ledger, learn, make, type Place, reach, see } from "./ledger.ts";
import type { Server } from "./server.ts";
import { ask, type Change, type PullReply, type PushReply } from "./wire.ts";

export type Habits = {
  /** ms by which its clock is off. */
  readonly skew: number;
  /** Whether it does all that the guide on sync asks, or knows the specification alone. */
  readonly knows: "guide" | "specification";
  /** What it names as the version on which it made an edit. */
  readonly names: "base" | "nothing" | "rev";
  /** Whether it sends an unanswered push again as it was, before anything newer. */
  readonly resends: boolean;
  /** What it does with a pull's reply if there was an edit meanwhile. */
  readonly onCollision: "forget the reply" | "keep the edit";
  /** How many rows it asks for at a time: a page has more if they were stored together. Null for all. */
  readonly limit: number | null;
};

/** What a device needs of the world around it. */
export type Surroundings = {
  readonly server: Server;
  readonly ledger: Ledger;
  /** The true time. */
  readonly time: () => Instant;
  readonly token: string;
};

/** What becomes of a request. A device cannot tell a lost request from a lost reply. */
export type Fate = "answered" | "reply lost" | "request lost";

/** `base` is the `updated_at` of the version on which it was made here, and `baseRev` what the server called that. */
type Held = Row & {
  readonly edit?: Edit;
  readonly base?: string | null;
  baseRev?: string | null;
  isSent?: boolean;
};

/** A push: the records as they were sent, and the device's own rows of which they were made. */
type Sent = {
  readonly records: readonly Held[];
  readonly rows: readonly Held[];
  readonly path: string;
};

/** A browser with the extension, which a person works with. */
export type Device = {
  readonly name: string;
  readonly habits: Habits;
  readonly rows: Map<string, Held>;
  /** Tasks with edits that are not pushed yet. */
  readonly waiting: Set<string>;
  /** Each deleted task as it last was here before the deletion. */
  readonly memory: Map<string, Payload>;
  /** Each field's value before the one that the device was given last, by task and field. */
  readonly earlier: Map<string, string>;
  /** Its last pushes, the newest first. */
  readonly past: Sent[];
  /** The push that it must send again before anything newer. */
  unanswered: Sent | null;
  cursor: string | null;
  epoch: string | null;
  clock: Instant;
  readonly world: Surroundings;
};

export const newDevice = (name: string, habits: Habits, world: Surroundings): Device => ({
  name,
  habits,
  rows: new Map(),
  waiting: new Set(),
  memory: new Map(),
  earlier: new Map(),
  past: [],
  unanswered: null,
  cursor: null,
  epoch: null,
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
  const baseRev = before?.rev ?? before?.baseRev ?? null;
  hold(device, { id: task, updated_at, deleted_at, payload, edit, base: base ?? null, baseRev });
  device.waiting.add(task);
  return edit;
};

const hold = (device: Device, row: Held): void => {
  const before = device.rows.get(row.id);
  if (before?.deleted_at === null && row.deleted_at !== null)
    device.memory.set(row.id, before.payload);
  device.rows.set(row.id, row);
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
  device.world.ledger.marked.add(task);
  change(device, task, { title: token, colour: "plain", mark: task, pages: [], notes: [] });
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

/** The value that a field had here before it was given another one; null if there was none. */
export const earlierValue = (
  device: Device,
  task: string,
  place: "colour" | "title",
): string | null => {
  const earlier = device.earlier.get(`${task} ${place}`);
  return earlier === undefined || earlier === payloadOf(device, task)[place] ? null : earlier;
};

/** The person sets a field back by hand. */
export const setBack = (device: Device, task: string, place: "colour" | "title"): void => {
  const { ledger } = device.world;
  const value = earlierValue(device, task, place);
  const token = payloadOf(device, task)[place];
  if (value === null || token === undefined) throw new Error("There is nothing to set back to.");
  const edit = change(device, task, { ...payloadOf(device, task), [place]: value });
  ledger.removals.push({ token, task, by: device.name, order: edit.order, edit });
  ledger.setBacks.push({ task, place, token, edit });
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

export const reviveTask = (device: Device, task: string, as = payloadOf(device, task)): void => {
  const { ledger } = device.world;
  ledger.revivals.push({ task, by: device.name, order: ledger.order });
  change(device, task, as);
};

/** Un-deletes a task as it was here before the deletion, not as its row has it now: the person undoes what they did. */
export const recallTask = (device: Device, task: string): void => {
  const { ledger } = device.world;
  const memory = device.memory.get(task) ?? payloadOf(device, task);
  const kept = tokensIn(memory);
  // What a restore has left in this row alone, the device drops itself, unseen: the guide says to start from the row.
  for (const token of tokensIn(payloadOf(device, task)))
    if (!kept.has(token) && ledger.resent.has(token)) ledger.restoredAway.add(token);
  reviveTask(device, task, memory);
};

/**
 * Pushes what waits, but first, as it was, what was not answered. `meanwhile` happens between the first request and its
 * reply. Returns whether all was answered.
 */
export const push = async (
  device: Device,
  fate: Fate = "answered",
  meanwhile: () => void = () => {},
): Promise<boolean> => {
  const { unanswered } = device;
  if (unanswered === null) return pushWaiting(device, fate, meanwhile);
  return (await sendAndTake(device, unanswered, fate, meanwhile)) && pushWaiting(device);
};

const pushWaiting = async (
  device: Device,
  fate: Fate = "answered",
  meanwhile: () => void = () => {},
): Promise<boolean> => {
  if (device.waiting.size === 0) return true;
  const rows = [...device.waiting].flatMap((task) => device.rows.get(task) ?? []);
  const names = device.habits.knows === "guide" && device.cursor !== null;
  const path = names ? `/sync?since=${encodeURIComponent(device.cursor ?? "")}` : "/sync";
  for (const row of rows) row.isSent = true;
  const sent: Sent = { records: rows.map((row) => withEdit(device, row)), rows, path };
  device.past.unshift(sent);
  device.past.splice(REMEMBERED);
  return sendAndTake(device, sent, fate, meanwhile);
};

/** How many of its pushes may arrive once more. */
const REMEMBERED = 8;

/** Returns whether there was a reply. */
const sendAndTake = async (
  device: Device,
  sent: Sent,
  fate: Fate,
  meanwhile: () => void,
): Promise<boolean> => {
  if (device.habits.resends) device.unanswered = sent;
  const reply = fate === "request lost" ? null : await send(device, sent);
  meanwhile();
  if (reply === null || fate === "reply lost") return false;
  device.unanswered = null;
  const refused = new Set(reply.rejected.map(({ id }) => id));
  for (const { id, payload } of sent.records)
    if (!refused.has(id)) assure(device.world.ledger, device.name, tokensIn(payload));
  for (const row of sent.rows) if (device.rows.get(row.id) === row) device.waiting.delete(row.id);
  for (const { id, rev } of reply.revs) {
    const row = device.rows.get(id);
    if (!row) continue;
    if (device.waiting.has(id)) row.baseRev = rev;
    else device.rows.set(id, { ...row, rev });
  }
  for (const { id, server_row } of reply.rejected) {
    // What was edited again meanwhile is judged by the next push.
    if (device.waiting.has(id)) keepOwn(device, server_row);
    else store(device, server_row);
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
  return { ...row, edit, base: row.updated_at, baseRev: null };
};

/** A push arrives once more, as it was: the last one, or one of those before it. Nobody waits for the reply. */
export const repeatPush = async (device: Device, before = 0): Promise<void> => {
  const sent = device.past[before];
  if (sent) await send(device, sent);
};

const send = async (device: Device, { records, path }: Sent): Promise<PushReply> => {
  const { server, ledger, token } = device.world;
  const { names } = device.habits;
  for (const { edit } of records) if (edit) reach(ledger, edit, server.now());
  const changes = records.map(({ id, updated_at, deleted_at, payload, base, baseRev }): Change => {
    const named = {
      ...(names !== "nothing" && base != null ? { base_updated_at: base } : {}),
      ...(names === "rev" && baseRev != null ? { base_rev: baseRev } : {}),
    };
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
  for (const row of reply.changes.sync_tasks)
    if (device.waiting.has(row.id)) keepOwn(device, row);
    else store(device, row);
  const { ledger } = device.world;
  if (device.cursor === null) ledger.heard.set(device.name, ledger.order++);
  device.cursor = reply.server_time;
  device.epoch = reply.epoch;
  if (reply.has_more) {
    await pull(device);
    return false;
  }
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
  const { server, token, ledger } = device.world;
  const { limit } = device.habits;
  const query = {
    ...(since === null ? {} : { since }),
    ...(limit === null ? {} : { limit: `${limit}` }),
  };
  const path = `/sync?${new URLSearchParams(query)}`;
  const reply = await ask<PullReply>(server.url(), token, "GET", path);
  if (reply === null) throw new Error("There is no /sync.");
  const ids = reply.changes.sync_tasks.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new Error(`A pull brought a row twice: ${ids}.`);
  // A page's server_time is its last stamp, which comes before what is already known.
  if (limit === null) {
    if (reply.server_time < ledger.newestTime)
      throw new Error(`server_time went back from ${ledger.newestTime} to ${reply.server_time}.`);
    ledger.newestTime = reply.server_time;
  }
  return reply;
};

/** It goes on from this row without having stored it. The guide forbids that; the specification says nothing of it. */
const keepOwn = ({ name, habits, world: { ledger } }: Device, { id, payload }: Row): void => {
  if (habits.knows !== "specification") return;
  ledger.kept.push({ by: name, task: id, tokens: tokensIn(payload), order: ledger.order++ });
};

const store = (device: Device, { id, updated_at, deleted_at, payload, rev }: Row): void => {
  const before = payloadOf(device, id);
  for (const place of ["title", "colour"] as const)
    if (before[place] !== undefined && before[place] !== payload[place])
      device.earlier.set(`${id} ${place}`, before[place]);
  hold(device, { id, updated_at, deleted_at, payload, ...(rev === undefined ? {} : { rev }) });
  const { ledger } = device.world;
  see(ledger, device.name, tokensIn(payload));
  assure(ledger, device.name, tokensIn(payload));
};
