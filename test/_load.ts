import { formatInstant } from "../src/instant.ts";
import { send } from "./_server.ts";

/** What was answered, so must be there for ever, and what was sent, so may be. */
export type Ledger = {
  /** The number of the version of each pushed record. */
  readonly pushed: Map<string, number>;
  /** What each device sent last and got no answer to: it stands whole, or not at all. */
  readonly unanswered: Map<string, readonly Sent[]>;
  /** Ids of tasks, tabs and notes that were filed over REST. */
  readonly filed: Set<string>;
  /** The number of the call that gave a task its title. */
  readonly titles: Map<string, number>;
  /** The calls of the key, by the client's name, of which each has its own. */
  readonly calls: Set<string>;
  /** The latest `server_time`. */
  serverTime: string;
  answers: number;
  /** Replies that nobody expects. */
  readonly surprises: string[];
};

type Sent = { readonly id: string; readonly version: number };

export const newLedger = (): Ledger => ({
  pushed: new Map(),
  unanswered: new Map(),
  filed: new Set(),
  titles: new Map(),
  calls: new Set(),
  serverTime: "",
  answers: 0,
  surprises: [],
});

type Random = (below: number) => number;

/** Where the load goes, as whom, and until when. */
export type Target = {
  readonly url: string;
  readonly session: string;
  readonly key: string;
  readonly random: Random;
  readonly isOver: () => boolean;
};

type Answered = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };

/** Null where the server was gone before it answered. */
const ask = async (
  ledger: Ledger,
  { url }: Target,
  [method, path]: readonly [string, string],
  options: Parameters<typeof send>[2],
): Promise<Answered | null> => {
  const answer = await send(method, `${url}/api/public/v1${path}`, options).catch(() => null);
  if (answer === null || answer.json === undefined) return null;
  ledger.answers += 1;
  if (answer.status > 201) ledger.surprises.push(`${method} ${path}: ${answer.text}`);
  return { status: answer.status, json: answer.json };
};

const RECORDS = 150;

/** A device that pushes its records again and again, each time as a new version. */
export const pushOn = async (ledger: Ledger, target: Target, device: string): Promise<void> => {
  let batch = ledger.unanswered.get(device) ?? [];
  while (!target.isOver()) {
    // What got no answer is sent again first, as a device does.
    if (batch.length === 0) batch = nextBatch(ledger, target.random, device);
    ledger.unanswered.set(device, batch);
    const body = batch.map(({ id, version }) => ({
      table: "sync_tasks",
      id,
      // Each version is newer than the one before, and none is ahead of the clock.
      updated_at: formatInstant(EPOCH + version),
      payload: { title: id, version, pages: [], filler: "x".repeat(target.random(2_000)) },
    }));
    const token = target.session;
    const answered = await ask(ledger, target, ["POST", "/sync"], { token, body });
    if (answered === null) return;
    for (const { id, version } of batch) ledger.pushed.set(id, version);
    ledger.unanswered.delete(device);
    batch = [];
  }
};

const EPOCH = Date.parse("2026-01-01T00:00:00Z");

const nextBatch = (ledger: Ledger, random: Random, device: string): readonly Sent[] => {
  const first = random(RECORDS);
  const count = 1 + random(random(4) === 0 ? RECORDS : 10);
  const ids = Array.from({ length: count }, (_, at) => `${device}-${(first + at) % RECORDS}`);
  return ids.map((id) => ({ id, version: (ledger.pushed.get(id) ?? 0) + 1 }));
};

/** A device that pulls again and again; also what it is told of the time must stay true. */
export const pullOn = async (ledger: Ledger, target: Target): Promise<void> => {
  let since = ledger.serverTime || formatInstant(EPOCH);
  while (!target.isOver()) {
    const query = `/sync?since=${encodeURIComponent(since)}`;
    const answered = await ask(ledger, target, ["GET", query], { token: target.session });
    if (answered === null) return;
    since = String(answered.json["server_time"]);
    noteTime(ledger, since);
  }
};

const noteTime = (ledger: Ledger, time: string): void => {
  if (time > ledger.serverTime) ledger.serverTime = time;
};

let calls = 0;

/** An agent that files tasks, tabs and notes, renames tasks, and lists them. */
export const fileOn = async (ledger: Ledger, target: Target): Promise<void> => {
  let task = "";
  while (!target.isOver()) {
    const name = `call-${(calls += 1)}`;
    const request = task === "" ? NEW_TASK : (REQUESTS[target.random(REQUESTS.length)] ?? NEW_TASK);
    const [method, path, body] = request(task, name);
    const headers = { "user-agent": name };
    const options = { token: target.key, headers, ...(body === undefined ? {} : { body }) };
    const answered = await ask(ledger, target, [method, path], options);
    if (answered === null) return;
    ledger.calls.add(name);
    const { json } = answered;
    if (method === "GET") noteTime(ledger, String(json["server_time"]));
    if (request === NEW_TASK) task = String(json["id"]);
    if (request === NEW_TASK || method === "PATCH") ledger.titles.set(task, numberOf(name));
    if (method === "POST") for (const id of idsIn(json)) ledger.filed.add(id);
  }
};

/** Calls are numbered, and name what they file: a higher number is a later one. */
export const numberOf = (title: string): number => Number(title.replace("call-", ""));

type Request = (task: string, name: string) => readonly [string, string, unknown?];

const tab = (name: string) => ({ url: `https://example.org/${name}`, title: name });

const NEW_TASK: Request = (_task, name) => {
  return ["POST", "/tasks", { title: name, tabs: [tab(name)], notes: [name] }];
};

const REQUESTS: readonly Request[] = [
  NEW_TASK,
  (task, name) => ["POST", `/tasks/${task}/tabs`, [tab(name), tab(`${name}-2`)]],
  (task, name) => ["POST", `/tasks/${task}/notes`, { text: name }],
  (task, name) => ["PATCH", `/tasks/${task}`, { title: name }],
  (_task, name) => ["POST", "/inbox/tabs", [tab(name)]],
  () => ["GET", "/tasks?limit=5"],
];

/** The ids of all that a reply shows as filed. */
const idsIn = (value: unknown): readonly string[] => {
  if (typeof value !== "object" || value === null) return [];
  const own = "id" in value && typeof value.id === "string" ? [value.id] : [];
  return [...own, ...Object.values(value).flatMap(idsIn)];
};
