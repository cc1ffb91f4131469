/** A record as it goes over the wire. One that was deleted stays, as a tombstone. */
export type Row = {
  readonly table: string;
  readonly id: string;
  /** When it was changed on the device that changed it: the later one wins. */
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly payload: Payload;
};

/** What the server keeps for us as it is. Fields that this extension does not know stay in it. */
type Payload = Readonly<Record<string, unknown>>;

/** As the server sends it. */
export type ServerRow = Omit<Row, "table">;

/** A record as this device keeps it. */
export type Held = {
  readonly row: Row;
  /** The server has not answered for this version yet: all that waits is the queue. */
  readonly waiting: boolean;
  /** Why the server cannot take this version. It is not sent again. */
  readonly refused?: string;
};

export const keyOf = ({ table, id }: Pick<Row, "id" | "table">): string => `${table}/${id}`;

/** Only our own fields are stored and pushed: the server adds some, and may add more. */
export const rowOf = (table: string, { id, updated_at, deleted_at, payload }: ServerRow): Row => ({
  table,
  id,
  updated_at,
  deleted_at,
  payload,
});

/**
 * A change made here. It is later than what it changes even where this device's clock is behind the
 * one that wrote that, else it would lose to it.
 */
export const changed = (before: Held | undefined, row: Omit<Row, "updated_at">): Held => {
  const least = before === undefined ? 0 : Date.parse(before.row.updated_at) + 1;
  const updated_at = new Date(Math.max(Date.now(), least)).toISOString();
  return { row: { ...row, updated_at }, waiting: true };
};

/** What is kept where the server sends `row`: only a later change that still waits stands against it. */
export const taken = (before: Held | undefined, row: Row): Held =>
  before?.waiting === true && isLater(before.row, row) ? before : { row, waiting: false };

/** Compared as times: the text may carry any offset. */
const isLater = (one: Row, other: Row): boolean =>
  Date.parse(one.updated_at) > Date.parse(other.updated_at);
