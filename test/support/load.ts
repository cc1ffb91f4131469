import { formatInstant } from "../../src/domain/base/instant.ts";
import { send } from "./server.ts";

/**
 * Everything that was confirmed, and so must stay for ever, and everything that was sent, and so
 * may be there.
 */
export type Ledger = {
  /** The number of each pushed record's version. */
  readonly pushed: Map<string, number>;
  /** Each device's last push that got no answer: it must be stored completely or not at all. */
  readonly unanswered: Map<string, readonly Sent[]>;
  /** Everything that each device sent, push by push, whether or not the last one was answered. */
  readonly sent: Map<string, (readonly Sent[])[]>;
  /** The ids of tasks, tabs and notes that were filed over REST. */
  readonly filed: Set<string>;
  /** The number of the call that gave a task its title. */
  readonly titles: Map<string, number>;
  /** The number of the last edit that a device made to a task of the agents'. */
  readonly marks: Map<string, number>;
  /** The key's calls, by the client's name: each call has its own. */
  readonly calls: Set<string>;
  /** The latest `server_time`. */
  serverTime: string;
  answers: number;
  /** Unexpected replies. */
  readonly surprises: string[];
  /** What each answer added to the ledger, by its request's id. */
  readonly notes: Map<string, Note>;
};

type Sent = { readonly id: string; readonly version: number };

type Note = (ledger: Ledger) => void;

export const newLedger = (): Ledger => ({
  pushed: new Map(),
  unanswered: new Map(),
  sent: new Map(),
  filed: new Set(),
  titles: new Map(),
  marks: new Map(),
  calls: new Set(),
  serverTime: "",
  answers: 0,
  surprises: [],
  notes: new Map(),
});

/** The ledger as it was before the first answer, to be filled again with the notes, one by one. */
export const beforeAnswers = ({ sent }: Ledger): Ledger => ({
  ...newLedger(),
  unanswered: new Map([...sent].map(([device, [first = []]]) => [device, first])),
});

type Random = (below: number) => number;

/** Where the load goes, with which credentials, and until when. */
export type Target = {
  readonly url: string;
  readonly session: string;
  readonly key: string;
  readonly random: Random;
  /** How many records each device has. */
  readonly records: number;
  readonly isOver: () => boolean;
};

type Answered = {
  readonly json: Readonly<Record<string, unknown>>;
  /** Enters into the ledger what an answer promises. */
  readonly note: (note: Note) => void;
};

let requests = 0;

/** Null if the server was gone before it answered. */
export const ask = async (
  ledger: Ledger,
  { url }: Target,
  [method, path]: readonly [string, string],
  options: Parameters<typeof send>[2],
): Promise<Answered | null> => {
  const request = `request-${(requests += 1)}`;
  const headers = { ...options?.headers, "x-request-id": request };
  const address = `${url}/api/public/v1${path}`;
  const answer = await send(method, address, { ...options, headers }).catch(() => null);
  if (answer === null || answer.json === undefined) return null;
  ledger.answers += 1;
  if (answer.status > 201) ledger.surprises.push(`${method} ${path}: ${answer.text}`);
  const note = (entry: Note): void => {
    ledger.notes.set(request, entry);
    entry(ledger);
  };
  return { json: answer.json, note };
};

/** A device that pushes its records again and again, each time as a new version. */
export const pushOn = async (ledger: Ledger, target: Target, device: string): Promise<void> => {
  const sent = ledger.sent.get(device) ?? [];
  ledger.sent.set(device, sent);
  while (!target.isOver()) {
    // A push without an answer is sent again first, as a device does.
    if (!ledger.unanswered.has(device)) sent.push(nextBatch(ledger, target, device));
    const at = sent.length - 1;
    const batch = sent[at] ?? [];
    ledger.unanswered.set(device, batch);
    const body = batch.map((one) => recordOf(one, target.random));
    const token = target.session;
    const answered = await ask(ledger, target, ["POST", "/sync"], { token, body });
    if (answered === null) return;
    answered.note(({ pushed, unanswered }) => {
      for (const { id, version } of batch) pushed.set(id, version);
      const next = sent[at + 1];
      if (next) unanswered.set(device, next);
      else unanswered.delete(device);
    });
  }
};

/** Each version is newer than the previous one, and none is ahead of the clock. */
export const recordOf = ({ id, version }: Sent, random: Random) => ({
  table: "sync_tasks" as const,
  id,
  updated_at: formatInstant(EPOCH + version),
  payload: { title: id, version, pages: [], filler: "x".repeat(random(500)) },
});

const EPOCH = Date.parse("2026-01-01T00:00:00Z");

const nextBatch = (
  ledger: Ledger,
  { random, records }: Target,
  device: string,
): readonly Sent[] => {
  const first = random(records);
  const count = 1 + random(random(4) === 0 ? records : Math.min(10, records));
  const ids = Array.from({ length: count }, (_, at) => `${device}-${(first + at) % records}`);
  return ids.map((id) => ({ id, version: (ledger.pushed.get(id) ?? 0) + 1 }));
};

/** A device that pulls again and again. The times it is given must stay true too. */
export const pullOn = async (ledger: Ledger, target: Target): Promise<void> => {
  let since = ledger.serverTime || formatInstant(EPOCH);
  while (!target.isOver()) {
    const query = `/sync?since=${encodeURIComponent(since)}`;
    const answered = await ask(ledger, target, ["GET", query], { token: target.session });
    if (answered === null) return;
    const time = (since = String(answered.json["server_time"]));
    answered.note((into) => noteTime(into, time));
  }
};

export const noteTime = (ledger: Ledger, time: string): void => {
  if (time > ledger.serverTime) ledger.serverTime = time;
};
