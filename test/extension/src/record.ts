/** A record as it is sent. A deleted record stays, as a tombstone. */
export type Row = {
  readonly table: string;
  readonly id: string;
  /** When it was changed, by the clock of the device that changed it. The later change wins. */
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly payload: Payload;
};

/** The server stores this as it is. It can contain fields that this extension does not know. */
type Payload = Readonly<Record<string, unknown>>;

/** A record as the server sends it. */
export type ServerRow = Omit<Row, "table">;

/** A record as this device stores it. */
export type Held = {
  readonly row: Row;
  /** Whether the server has yet to answer for this version. All waiting records form the queue. */
  readonly waiting: boolean;
  /** Why the server refused this version. It is not sent again. */
  readonly refused?: string;
};

export const keyOf = ({ table, id }: Pick<Row, "id" | "table">): string => `${table}/${id}`;

/** Stores only the fields that are pushed. The server adds some, and may add more. */
export const rowOf = (table: string, { id, updated_at, deleted_at, payload }: ServerRow): Row => ({
  table,
  id,
  updated_at,
  deleted_at,
  payload,
});

/**
 * Returns a change made here. It is later than what it changes, even if that was written by a device whose clock is
 * ahead. Otherwise it would lose.
 */
export const changed = (before: Held | undefined, row: Omit<Row, "updated_at">): Held => {
  const least = before === undefined ? 0 : Date.parse(before.row.updated_at) + 1;
  const updated_at = new Date(Math.max(Date.now(), least)).toISOString();
  return { row: { ...row, updated_at }, waiting: true };
};
