import { parseInstant } from "../../domain/base/instant.ts";
import { isObject, type Payload, textField } from "../../domain/base/payload.ts";
import { type Table, TABLES } from "../../domain/base/record.ts";

// The replies of `/sync`, read with care: a reply that is not as the API's description says is no reply at all.

/** A record as the server has it. */
export type ServerRow = {
  readonly id: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly payload: Payload;
  readonly createdBy: "agent" | "person";
  /** The name of the API key that made it; null if none did, or if the server does not say. */
  readonly createdByKey: string | null;
  /** Names this version; null if the server does not say. */
  readonly rev: string | null;
};

export type PullReply = {
  readonly serverTime: string;
  readonly epoch: string;
  readonly hasMore: boolean;
  readonly rows: readonly (ServerRow & { readonly table: Table })[];
};

/** The server's row in place of one that was pushed. */
export type RejectedRow = ServerRow & {
  readonly table: Table;
  /** Whether the server had stored what was pushed, so that its row was made on top of that. */
  readonly hadIt: boolean;
  /** The `updatedAt` of the version that a device pushed last, ISO text; null if the server does not say. */
  readonly devicesAt: string | null;
  /** The fields that devices have changed since the version that was expected, and when, ISO text. */
  readonly byDevices: Payload;
  /** If the row is deleted: whether a device did that, and not the API; null if the server does not say. */
  readonly isDeletedByDevice: boolean | null;
};

export type PushReply = {
  /** Null if the server does not say. */
  readonly epoch: string | null;
  /** What the server calls the versions that are stored as they were sent. Older servers do not say. */
  readonly revs: readonly { readonly table: Table; readonly id: string; readonly rev: string }[];
  /** The rows that are not as they were sent. */
  readonly rejected: readonly RejectedRow[];
  /** `index` is the record's place in the push. */
  readonly invalid: readonly { readonly index: number; readonly error: string }[];
};

/** The server's answer makes no sense. */
export class Garbage extends Error {
  override readonly name = "Garbage";
}

export const readPull = (json: unknown): PullReply => {
  const reply = objectIn(json);
  const changes = objectIn(reply["changes"]);
  return {
    serverTime: instantIn(reply["server_time"]),
    epoch: textIn(reply["epoch"]),
    hasMore: reply["has_more"] === true,
    rows: TABLES.flatMap((table) =>
      listIn(changes[table]).map((row) => ({ table, ...serverRow(row) })),
    ),
  };
};

/** Reads the reply to a push of `sent` records. */
export const readPush = (json: unknown, sent: number): PushReply => {
  const reply = objectIn(json);
  if (typeof reply["applied"] !== "number") throw new Garbage("applied");
  return {
    epoch: textField(reply, "epoch"),
    revs: listIn(reply["revs"] ?? []).map((item) => {
      const { table, id, rev } = objectIn(item);
      return { table: tableIn(table), id: textIn(id), rev: textIn(rev) };
    }),
    rejected: listIn(reply["rejected"]).map((item) => {
      const { table, server_row, reason, was_stored, ...said } = objectIn(item);
      const { device_updated_at, changed_by_devices, deleted_by_device } = said;
      const hadIt = reason !== "stale" || was_stored === true;
      const byDevices = isObject(changed_by_devices) ? changed_by_devices : {};
      const devicesAt = device_updated_at === undefined ? null : instantIn(device_updated_at);
      const isDeletedByDevice = typeof deleted_by_device === "boolean" ? deleted_by_device : null;
      const since = { hadIt, devicesAt, byDevices, isDeletedByDevice };
      return { table: tableIn(table), ...serverRow(server_row), ...since };
    }),
    invalid: listIn(reply["invalid"]).map((item) => {
      const { index, error } = objectIn(item);
      if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= sent)
        throw new Garbage("index");
      return { index: Number(index), error: textIn(error) };
    }),
  };
};

/** Returns the sentence of an error reply; null if it has none. */
export const readError = (json: unknown): string | null =>
  isObject(json) && typeof json["error"] === "string" ? json["error"] : null;

const serverRow = (value: unknown): ServerRow => {
  const row = objectIn(value);
  return {
    id: textIn(row["id"]),
    updatedAt: instantIn(row["updated_at"]),
    deletedAt: row["deleted_at"] === null ? null : instantIn(row["deleted_at"]),
    payload: objectIn(row["payload"]),
    createdBy: row["created_by"] === "agent" ? "agent" : "person",
    createdByKey: textField(row, "created_by_key"),
    rev: textField(row, "rev"),
  };
};

const objectIn = (value: unknown): Payload => {
  if (!isObject(value)) throw new Garbage("object");
  return value;
};

const listIn = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Garbage("list");
  return value;
};

const textIn = (value: unknown): string => {
  if (typeof value !== "string" || value === "") throw new Garbage("text");
  return value;
};

const instantIn = (value: unknown): string => {
  const text = textIn(value);
  if (parseInstant(text) === null) throw new Garbage("time");
  return text;
};

const tableIn = (value: unknown): Table => {
  const table = TABLES.find((one) => one === value);
  if (table === undefined) throw new Garbage("table");
  return table;
};
