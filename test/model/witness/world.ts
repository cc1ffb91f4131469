import { formatInstant, type Instant } from "../../../src/domain/base/instant.ts";
import { childTokens, type Payload, type Row, tokensIn } from "./content.ts";
import { type Device, type Habits, newDevice, pull } from "./device.ts";
import { learn, type Ledger, make, newLedger, type Place, touch } from "./ledger.ts";
import type { Person, Server } from "./server.ts";
import { ask, type PullReply } from "./wire.ts";

/** Everything in one history: a server, a person with devices, and those who write over REST. */
export type World = {
  readonly server: Server;
  readonly person: Person;
  readonly ledger: Ledger;
  readonly devices: ReadonlyMap<string, Device>;
  /** The devices in the order in which they come in the end. */
  order: readonly Device[];
  /** The true time. */
  time: Instant;
  /** ms by which the server's clock is off. */
  off: number;
  /** Every task that was ever made, the oldest first. */
  readonly tasks: string[];
  backup: string | null;
  /** How many things had happened when it was made. */
  backedUp: number;
  /** What happened, a line each. */
  readonly log: string[];
};

/** Two agents with keys, and the person with a session, all over REST. */
export const OVER_REST = ["bot", "cat", "ann"] as const;

/** What the judge pulls with. It never pushes. */
const WITNESS = "witness";

/** A world in which nothing has happened yet. */
export const emptyWorld = (
  known: Pick<World, "devices" | "person" | "server">,
  start: Instant,
): World => ({
  ...known,
  ledger: newLedger(),
  order: [],
  time: start,
  off: 0,
  tasks: [],
  backup: null,
  backedUp: 0,
  log: [],
});

export const newWorld = async (
  server: Server,
  start: Instant,
  habits: ReadonlyMap<string, Habits>,
): Promise<World> => {
  server.set(start);
  const person = await server.person([...habits.keys(), "ann", WITNESS], ["bot", "cat"]);
  const devices = new Map<string, Device>();
  const world = emptyWorld({ server, person, devices }, start);
  const { ledger } = world;
  for (const [name, habit] of habits) {
    const token = person.sessions.get(name) ?? "";
    devices.set(name, newDevice(name, habit, { server, ledger, time: () => world.time, token }));
  }
  world.order = [...devices.values()];
  // As the guide asks: a device that has seen no epoch yet cannot notice a restore.
  for (const device of devices.values()) await pull(device);
  return world;
};

export const say = (world: World, line: string): void => {
  world.log.push(`${formatInstant(world.time).slice(8, 19).replace("T", " ")}  ${line}`);
};

export const pass = (world: World, ms: number): void => {
  world.time += ms;
  world.server.set(world.time + world.off);
};

export const setClock = (world: World, off: number): void => {
  world.off = off;
  pass(world, 0);
};

/** Writes over REST. Returns null if the task is not there. */
const write = async <Answer>(
  world: World,
  who: string,
  method: "PATCH" | "POST",
  path: string,
  body: unknown,
): Promise<Answer | null> => {
  const { server, person } = world;
  const token = person.keys.get(who)?.secret ?? person.sessions.get(who) ?? "";
  return ask<Answer>(server.url(), token, method, path, body);
};

const makeOverRest = (
  world: World,
  by: string,
  place: Place,
  task: string,
  token: string,
): void => {
  if (!world.tasks.includes(task)) world.tasks.push(task);
  make(world.ledger, { token, place, task, by, over: "REST" });
  touch(world.ledger, task, world.server.now());
};

const tab = (token: string) => ({ url: `https://${token}.example/`, title: token });

export const fileTask = async (world: World, who: string, token: string): Promise<string> => {
  const task = await write<{ id: string }>(world, who, "POST", "/tasks", { title: token });
  if (task === null) throw new Error("POST /tasks was not found.");
  makeOverRest(world, who, "title", task.id, token);
  return task.id;
};

export const fileInInbox = async (world: World, who: string, token: string): Promise<string> => {
  const filed = await write<{ task: { id: string } }>(world, who, "POST", "/inbox/tabs", [
    tab(token),
  ]);
  if (filed === null) throw new Error("POST /inbox/tabs was not found.");
  makeOverRest(world, who, "tab", filed.task.id, token);
  return filed.task.id;
};

/** Puts a token into a task. Returns whether the task was there. */
export const fileInto = async (
  world: World,
  who: string,
  task: string,
  place: Place,
  token: string,
): Promise<boolean> => {
  const path = `/tasks/${task}`;
  const answer =
    place === "tab"
      ? await write(world, who, "POST", `${path}/tabs`, [tab(token)])
      : place === "note"
        ? await write(world, who, "POST", `${path}/notes`, { text: token })
        : await write(world, who, "PATCH", path, { [place]: token });
  if (answer === null) return false;
  makeOverRest(world, who, place, task, token);
  return true;
};

/** All that the server holds, as a device would be given it that has nothing. */
export const look = async ({ server, person }: World): Promise<ReadonlyMap<string, Row>> => {
  const token = person.sessions.get(WITNESS) ?? "";
  const reply = await ask<PullReply>(server.url(), token, "GET", "/sync");
  return new Map((reply?.changes.sync_tasks ?? []).map((row) => [row.id, row]));
};

/** The owner undoes what a key did in the last so many ms, and sees what that takes away. */
export const undo = async (world: World, key: string, back: number): Promise<void> => {
  const { server, person, ledger } = world;
  const before = await look(world);
  const since = formatInstant(server.now() - back);
  const id = person.keys.get(key)?.id ?? "";
  await server.command("undo", "--key", id, "--since", since, "--json");
  const after = await look(world);
  const order = ledger.order++;
  for (const [task, row] of before) {
    const left = standing(after.get(task));
    for (const token of standing(row))
      if (!left.has(token))
        ledger.removals.push({ token, task, by: "the owner", order, edit: null });
    if (after.get(task)?.updated_at !== row.updated_at) touch(ledger, task, server.now());
  }
};

const standing = (row: Row | undefined): ReadonlySet<string> =>
  !row || row.deleted_at !== null ? new Set() : tokensIn(row.payload);

/** The same in the order that `pick` chooses. */
export const inAnyOrder = <T>(list: readonly T[], pick: number): readonly T[] => {
  const left = [...list];
  let rest = pick;
  return list.flatMap(() => {
    const [one] = left.splice(rest % left.length, 1);
    rest = Math.floor(rest / list.length);
    return one ?? [];
  });
};

export const makeBackup = async (world: World): Promise<void> => {
  world.backup = await world.server.command("backup");
  world.backedUp = world.ledger.order++;
};

/**
 * What nobody holds any more after a restore is gone by the owner's will. What only devices hold is theirs from then on,
 * but for tabs and notes that say that an agent filed them.
 */
export const restore = async (world: World, file: string): Promise<void> => {
  const { server, ledger, devices } = world;
  const known = reachedIn(ledger);
  const before = tokensOf((await look(world)).values());
  await server.restore(file);
  // What came after the backup reaches the server again if it is sent again.
  for (const edit of ledger.edits)
    if ((edit.reached?.order ?? 0) > world.backedUp) edit.reached = null;
  const restored = await look(world);
  const there = tokensOf(restored.values());
  ledger.newest.clear();
  ledger.oldest.clear();
  for (const [task, row] of restored) learn(ledger, task, Date.parse(row.updated_at));
  const rows = [...devices.values()].flatMap((device) => [...device.rows.values()]);
  const held = tokensOf(rows);
  // What had come and gone before the backup, that knows as gone.
  const wasBefore = (token: string): boolean =>
    ledger.edits.some(({ holds, reached }) => reached !== null && holds.has(token));
  ledger.confirmed.clear();
  for (const token of confirmedTo(devices.values(), ledger))
    if (before.has(token) && !there.has(token) && !wasBefore(token)) ledger.confirmed.add(token);
  for (const { token, place, by } of ledger.tokens.values()) {
    const saysWho = (place === "tab" || place === "note") && world.person.keys.has(by);
    const isMoved = rows.some(
      ({ id, payload }) => isIn(payload, token) && !isIn(restored.get(id)?.payload, token),
    );
    if (there.has(token)) {
      if (isMoved && !saysWho) ledger.leftToDevices.add(token);
      continue;
    }
    if (held.has(token) && known.has(token)) ledger.resent.add(token);
    if (!held.has(token)) ledger.restoredAway.add(token);
    else if (!saysWho) ledger.leftToDevices.add(token);
  }
  strand(world, restored);
  ledger.restored = ledger.order++;
};

/** A device of the specification alone knows no epoch: of what it had synced, it sends nothing again by itself. */
const strand = ({ ledger, devices }: World, restored: ReadonlyMap<string, Row>): void => {
  const there = tokensOf(restored.values());
  const sentAgain = new Set<string>();
  for (const { habits, rows, waiting } of devices.values())
    for (const row of rows.values())
      if (habits.knows === "guide" || waiting.has(row.id))
        for (const token of tokensIn(row.payload)) sentAgain.add(token);
      else if (row.updated_at !== restored.get(row.id)?.updated_at) ledger.stranded.add(row);
  for (const token of tokensOf(ledger.stranded))
    if (!there.has(token) && !sentAgain.has(token)) ledger.unsent.add(token);
};

/** The tabs and notes that devices which notice a restore hold in live tasks, and of which the server told them that it has them. */
const confirmedTo = (devices: Iterable<Device>, { assured }: Ledger): readonly string[] =>
  [...devices].flatMap(({ name, habits, rows }) =>
    habits.knows === "guide"
      ? [...rows.values()]
          .filter(({ deleted_at }) => deleted_at === null)
          .flatMap(({ payload }) => childTokens(payload))
          .filter((token) => assured.get(name)?.has(token))
      : [],
  );

const isIn = (payload: Payload | undefined, token: string): boolean =>
  payload !== undefined && tokensIn(payload).has(token);

/** The tokens that have ever been on the server. */
const reachedIn = ({ tokens, edits }: Ledger): ReadonlySet<string> => {
  const pushed = edits.flatMap(({ holds, reached }) => (reached ? [...holds] : []));
  const filed = [...tokens.values()].filter(({ over }) => over === "REST");
  return new Set([...pushed, ...filed.map(({ token }) => token)]);
};

const tokensOf = (rows: Iterable<Row>): ReadonlySet<string> =>
  new Set([...rows].flatMap(({ payload }) => [...tokensIn(payload)]));

/** What `docket history` tells of a task. */
export const historyOf = ({ server, person }: World, task: string): Promise<string> =>
  server.command("history", task, "--account", person.email, "--limit", "200", "--json");

/** Tabs and notes that stand in one task more than once. */
export const doubledIn = ({ payload }: Row): readonly string[] => {
  const children = childTokens(payload);
  return children.filter((token, index) => children.indexOf(token) !== index);
};
