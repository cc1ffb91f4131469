import { changesOf, idOf, newTaskBody, payloadOf, RARE } from "./data.ts";
import type { Owner } from "./seed.ts";

/** The mixed load of a busy day: 70 % reads, 20 % writes over REST, 10 % sync. */
export type Kind = "read" | "sync" | "write";

export type PlannedCall = {
  readonly kind: Kind;
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly token: string;
  readonly body?: string;
};

/** Returns a whole number below `below`. */
type Dice = (below: number) => number;

/** A device's cursor, which moves with its pulls. */
export type Device = { since: string; version: number };

const API = "/api/public/v1";

/** Records per push. */
const RECORDS = 10;

/**
 * Returns the next request. Reads and writes come from an agent, sync from the person's own device.
 */
export const nextCall = (dice: Dice, name: string, owner: Owner, device: Device): PlannedCall => {
  const share = dice(100);
  const token = owner.keys[dice(owner.keys.length)] ?? "";
  const id = idOf(name, dice(owner.tasks));
  if (share < 70) return { kind: "read", method: "GET", path: API + readPath(share, id), token };
  if (share < 90) return { kind: "write", token, ...write(share, id, dice(1_000)) };
  return { kind: "sync", token: owner.session, ...sync(share, name, owner, device, dice) };
};

const readPath = (share: number, id: string): string => {
  if (share < 30) return "/tasks";
  if (share < 55) return `/tasks/${id}`;
  return share < 62 ? "/me" : `/tasks?q=${RARE}`;
};

const write = (
  share: number,
  id: string,
  at: number,
): Pick<PlannedCall, "body" | "method" | "path"> => {
  if (share < 72) return { method: "POST", path: `${API}/tasks`, body: newTaskBody(at) };
  const [status, text] = [at % 2 === 0 ? "todo" : "blocked", `Seen at ${at}.`];
  const path = `${API}/tasks/${id}`;
  return share < 88
    ? { method: "PATCH", path, body: JSON.stringify({ status }) }
    : { method: "POST", path: `${path}/notes`, body: JSON.stringify({ text }) };
};

/** A pull of what is new, or a push of edits newer than any before. */
const sync = (
  share: number,
  name: string,
  { tasks, size }: Owner,
  device: Device,
  dice: Dice,
): Pick<PlannedCall, "body" | "method" | "path"> => {
  if (share < 95) return { method: "GET", path: `${API}/sync?since=${device.since}` };
  device.version += 1;
  const from = dice(tasks - RECORDS);
  const at = new Date().toISOString();
  const edited = changesOf({ prefix: name, from, count: RECORDS, tasks, size, version: 0 });
  const changes = edited.map((change, index) => ({
    ...change,
    updated_at: at,
    payload: payloadOf(from + index, tasks, size, device.version % 100),
  }));
  return { method: "POST", path: `${API}/sync`, body: JSON.stringify(changes) };
};
