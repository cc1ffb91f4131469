import { formatInstant, type Instant, parseInstant } from "../src/instant.ts";
import type { Table } from "../src/record.ts";

/** A row as `GET /sync` gives it, with its table; what a device keeps and what it pushes. */
export type Row = {
  readonly table: Table;
  readonly id: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
};

export type PullReply = {
  readonly server_time: string;
  readonly epoch: string;
  readonly has_more: boolean;
  readonly changes: Readonly<Record<Table, readonly Omit<Row, "table">[]>>;
};

type Winner = {
  readonly table: Table;
  readonly id: string;
  readonly server_row: Omit<Row, "table">;
};

export type PushReply = {
  readonly applied: number;
  readonly rejected: readonly (Winner & { readonly reason: string })[];
  readonly merged: readonly Winner[];
  readonly invalid: readonly unknown[];
};

/** How a device reaches the server: over a socket, or past it straight to the storage. */
export type Wire = {
  readonly pull: (since: string | null, limit: number | null) => Promise<PullReply>;
  readonly push: (changes: readonly Row[]) => Promise<PushReply>;
};

/**
 * What a device takes for its next `since`: the reply's `server_time` as the API asks, or one of the
 * two mistakes that come to mind: the greatest `updated_at` it holds, or its own clock.
 */
export type Temperament = "own clock" | "server_time" | "updated_at";

/** A browser with the extension: what it keeps, what it has not pushed yet, how far it has pulled. */
export type Device = {
  readonly temperament: Temperament;
  /** Its own clock, which may be minutes off. */
  readonly now: () => Instant;
  readonly records: Map<string, Row>;
  readonly dirty: Set<string>;
  cursor: string | null;
  epoch: string | null;
};

/** What becomes of a request on a bad network. */
export type Fate = "answered" | "reply lost" | "request lost";

/** Change records in one push (specification, section 8). */
const BATCH = 500;

export const newDevice = (temperament: Temperament, now: () => Instant): Device => ({
  temperament,
  now,
  records: new Map(),
  dirty: new Set(),
  cursor: null,
  epoch: null,
});

export const keyOf = ({ table, id }: { readonly table: Table; readonly id: string }): string =>
  `${table}/${id}`;

/** A person changes a record on the device; `deleted` makes it a tombstone. */
export const edit = (
  device: Device,
  { table, id, payload, deleted }: Pick<Row, "table" | "id" | "payload"> & { deleted: boolean },
): void => {
  const updated_at = formatInstant(device.now());
  const row = { table, id, updated_at, deleted_at: deleted ? updated_at : null, payload };
  device.records.set(keyOf(row), row);
  device.dirty.add(keyOf(row));
};

/** Pulls what is new, in pages of `limit` where one is given, and takes it over. */
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
      const partial = device.cursor !== null;
      startOver(device, reply.epoch);
      if (partial) continue;
    }
    for (const row of rowsOf(reply)) take(device, row);
    device.cursor = nextCursor(device, reply, asked);
    if (!reply.has_more) return;
  }
};

/**
 * The server was restored: what it lost is on the devices, so they push all they hold. Also at the
 * first pull: what was pushed before it may have been lost to a restore that nobody could notice.
 */
const startOver = (device: Device, epoch: string): void => {
  device.epoch = epoch;
  device.cursor = null;
  for (const key of device.records.keys()) device.dirty.add(key);
};

export const rowsOf = ({ changes }: PullReply): readonly Row[] =>
  (Object.keys(changes) as Table[]).flatMap((table) =>
    changes[table].map((row) => rowOf(table, row)),
  );

const rowOf = (table: Table, { id, updated_at, deleted_at, payload }: Omit<Row, "table">): Row => ({
  table,
  id,
  updated_at,
  deleted_at,
  payload,
});

/** Last write wins here too: only an edit that is not pushed yet, and newer, stays. */
const take = (device: Device, row: Row): void => {
  const mine = device.records.get(keyOf(row));
  if (mine && device.dirty.has(keyOf(row)) && stampOf(mine) > stampOf(row)) return;
  settle(device, row);
};

const settle = (device: Device, row: Row): void => {
  device.records.set(keyOf(row), row);
  device.dirty.delete(keyOf(row));
};

const stampOf = (row: Row): Instant => parseInstant(row.updated_at) ?? Number.NaN;

const nextCursor = (device: Device, reply: PullReply, asked: string): string | null => {
  switch (device.temperament) {
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

/** Pushes what was changed here. What gets no reply stays dirty, and is pushed again next time. */
export const push = async (device: Device, wire: Wire, fate: Fate = "answered"): Promise<void> => {
  const dirty = [...device.dirty];
  for (let start = 0; start < dirty.length; start += BATCH) {
    const sent = dirty.slice(start, start + BATCH).flatMap((key) => {
      const row = device.records.get(key);
      return row ? [row] : [];
    });
    if (fate === "request lost") return;
    const reply = await wire.push(sent);
    if (fate === "reply lost") return;
    for (const row of sent) if (isStill(device, row)) device.dirty.delete(keyOf(row));
    for (const { table, id, server_row } of [...reply.rejected, ...reply.merged]) {
      const mine = sent.find((row) => row.table === table && row.id === id);
      // What was edited again while the push was on its way is judged by the next one.
      if (mine && isStill(device, mine)) settle(device, rowOf(table, server_row));
    }
  }
};

const isStill = (device: Device, row: Row): boolean => device.records.get(keyOf(row)) === row;
