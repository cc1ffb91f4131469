import type { Table } from "../../src/domain/base/record.ts";

/** A row as `GET /sync` returns it, with its table. Devices store and push rows in this form. */
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
  readonly rejected: readonly (Winner & { readonly updated_at: string; readonly reason: string })[];
  readonly merged: readonly Winner[];
  readonly invalid: readonly unknown[];
};

/** How a device reaches the server: over a socket, or directly in the storage. */
export type Wire = {
  readonly pull: (since: string | null, limit: number | null) => Promise<PullReply>;
  /** `since` names what the device has stored; undefined if the push does not say. */
  readonly push: (changes: readonly Row[], since?: string) => Promise<PushReply>;
};

export const keyOf = ({ table, id }: { readonly table: Table; readonly id: string }): string =>
  `${table}/${id}`;

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

/** The URLs and texts of a task's tabs and notes. */
export const valuesIn = ({ payload }: Pick<Row, "payload">): readonly string[] =>
  [payload["pages"], payload["notes"]].flatMap((list) =>
    Array.isArray(list) ? list.map((item: Item) => item.url ?? item.text ?? "") : [],
  );

/** A tab or a note. */
export type Item = { readonly id?: string; readonly url?: string; readonly text?: string };
