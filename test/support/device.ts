import { formatInstant, type Instant, parseInstant } from "../../src/domain/base/instant.ts";
import {
  keyOf,
  type PullReply,
  type PushedRow,
  type Row,
  rowOf,
  rowsOf,
  type Wire,
} from "./client.ts";

/**
 * What a device sends as its next `since`: the reply's `server_time`, as the API requires, or one
 * of the two obvious mistakes, the greatest `updated_at` it holds or its own clock.
 */
export type Temperament = "own clock" | "server_time" | "updated_at";

/** How a device is programmed, and how wrong its clock is. */
export type Habits = {
  /** How far its clock is off when the history begins, in ms. */
  readonly skew: number;
  readonly cursor: Temperament;
  /**
   * It does not pull until its pushes are answered, also after a restore. Otherwise the later stamp
   * wins on the device too.
   */
  readonly pushesFirst: boolean;
  /** It pushes with `?since=`. */
  readonly namesSince: boolean;
  /** It sends `since` with its pulls. Otherwise it gets everything each time. */
  readonly acknowledges: boolean;
  /** It names the version on which each edit was made. */
  readonly namesBases: boolean;
  /** It keeps the ids of tabs and notes. Otherwise it knows them only by URL and text. */
  readonly keepsIds: boolean;
};

/** A push as it was sent, for a network that delays and repeats it. */
export type Sent = {
  readonly changes: readonly PushedRow[];
  readonly since: string | undefined;
};

/**
 * A browser with the extension: what it stores, what it has not pushed yet, and how far it has
 * pulled.
 */
export type Device = {
  readonly habits: Habits;
  /** Its own clock, which may be minutes off. */
  readonly now: () => Instant;
  readonly records: Map<string, Row>;
  /**
   * The records that a person changed since the device last took them from the server, each with the
   * `updated_at` that it had then.
   */
  readonly drafts: Map<string, string | undefined>;
  readonly sent: Sent[];
  cursor: string | null;
  epoch: string | null;
};

/** What a bad network does with a request. */
export type Fate = "answered" | "reply lost" | "request lost";

/** Change records in one push (specification, section 8). */
const BATCH = 500;

export const newDevice = (habits: Habits, now: () => Instant): Device => ({
  habits,
  now,
  records: new Map(),
  drafts: new Map(),
  sent: [],
  cursor: null,
  epoch: null,
});

/**
 * Pulls what is new, in pages of `limit` if one is given, and stores it. After a restore, it drops the reply, and pulls
 * from nothing once it has pushed all it holds.
 */
export const pull = async (
  device: Device,
  wire: Wire,
  { limit = null, fate = "answered" }: { limit?: number | null; fate?: Fate } = {},
): Promise<void> => {
  if (fate === "request lost") return;
  for (;;) {
    const asked = formatInstant(device.now());
    const reply = await wire.pull(device.cursor, limit);
    if (fate === "reply lost") return;
    if (device.epoch !== reply.epoch) {
      const isFirst = device.epoch === null;
      startOver(device, reply.epoch);
      if (!isFirst) {
        if (device.habits.pushesFirst) await push(device, wire);
        continue;
      }
    }
    for (const row of rowsOf(reply)) take(device, row);
    device.cursor = nextCursor(device, reply, asked);
    if (!reply.has_more) return;
  }
};

/**
 * After the server was restored, the devices hold what it lost, so they push everything. They also
 * do at their first pull: earlier pushes may have been lost to a restore that nobody could notice.
 */
const startOver = (device: Device, epoch: string): void => {
  device.epoch = epoch;
  device.cursor = null;
  for (const [key, row] of device.records)
    if (!device.drafts.has(key)) device.drafts.set(key, row.updated_at);
};

/** Last write wins here too: only an edit that is newer and not pushed yet stays. */
const take = (device: Device, row: Row): void => {
  const mine = device.records.get(keyOf(row));
  if (mine && device.drafts.has(keyOf(row)) && stampOf(mine) > stampOf(row)) return;
  settle(device, row);
};

const settle = (device: Device, row: Row): void => {
  device.records.set(keyOf(row), row);
  device.drafts.delete(keyOf(row));
};

const stampOf = (row: Row): Instant => parseInstant(row.updated_at) ?? Number.NaN;

const nextCursor = (device: Device, reply: PullReply, asked: string): string | null => {
  if (!device.habits.acknowledges && !reply.has_more) return null;
  switch (device.habits.cursor) {
    case "server_time":
      return reply.server_time;
    case "own clock":
      return asked;
    case "updated_at": {
      const stamps = [...device.records.values()].map(stampOf);
      return stamps.length === 0 ? null : formatInstant(Math.max(...stamps));
    }
  }
};

/**
 * Pushes what was changed here. What gets no reply stays a draft, and is pushed again next time.
 */
export const push = async (device: Device, wire: Wire, fate: Fate = "answered"): Promise<void> => {
  const waiting = [...device.drafts];
  for (let start = 0; start < waiting.length; start += BATCH) {
    const drafts = waiting.slice(start, start + BATCH);
    const sent = drafts.flatMap(([key]) => device.records.get(key) ?? []);
    const changes = device.habits.namesBases ? withBases(sent, device.drafts) : sent;
    const since = (device.habits.namesSince ? device.cursor : null) ?? undefined;
    if (fate === "request lost") return;
    device.sent.push({ changes, since });
    const reply = await wire.push(changes, since);
    if (fate === "reply lost") return;
    for (const row of sent) if (isStill(device, row)) device.drafts.delete(keyOf(row));
    for (const { table, id, server_row } of reply.rejected) {
      const mine = sent.find((row) => row.table === table && row.id === id);
      // What was edited again during the push is settled by the next one.
      if (mine && isStill(device, mine)) settle(device, rowOf(table, server_row));
    }
  }
};

const withBases = (rows: readonly Row[], drafts: Device["drafts"]): readonly PushedRow[] =>
  rows.map((row) => {
    const base = drafts.get(keyOf(row));
    return base === undefined ? row : { ...row, base_updated_at: base };
  });

const isStill = (device: Device, row: Row): boolean => device.records.get(keyOf(row)) === row;
