import { Type } from "@sinclair/typebox";
import { TABLES } from "../../../domain/base/record.ts";
import { anything, count, oneOf, orNull, RecordId, ref, time } from "./parts.ts";

// What a device pushes and pulls, and what it is told.

const RowTable = oneOf(TABLES);

const Row = {
  id: RecordId,
  updated_at: time("The device's own text, given back unchanged."),
  deleted_at: orNull(time("Set on a tombstone: a deleted record.")),
  payload: anything("The record's content as the extension sent it, every field of it."),
  created_by: oneOf(["agent", "person"]),
};

const ServerRow = Type.Union([ref("SyncRow"), Type.Null()], {
  description: "The row that stands now: take it over.",
});

/** What a push holds, record by record. It is judged record by record: one that is wrong refuses no other. */
export const CHANGE = Type.Object(
  {
    table: RowTable,
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Chosen by the extension. No control characters, and not `.` or `..`.",
      pattern: "^(?!\\.{1,2}$)[^\\u0000-\\u001F\\u007F-\\u009F]*$",
    }),
    updated_at: time("When it was edited, on the device's clock. The later one wins."),
    deleted_at: Type.Optional(orNull(time("Set, it is a deletion; `payload` may then be absent."))),
    payload: Type.Optional(
      anything("At most 1 MiB of JSON, nested at most 64 levels deep. Kept as it is."),
    ),
  },
  { description: "A change record. One that is no such thing is listed in `invalid`." },
);

/** The replies of sync. */
export const SYNC = {
  SyncRow: Type.Object(Row, { description: "A record as sync knows it." }),
  Pull: Type.Object({
    server_time: time("Keep it once all rows are stored, and send it as the next `since`."),
    epoch: Type.String({
      description: "A new one says that the server was restored: pull all, and push all you hold.",
    }),
    has_more: Type.Boolean({
      description: "Whether to go on with this `server_time`. Only where `limit` was sent.",
    }),
    changes: Type.Object(
      Object.fromEntries(TABLES.map((table) => [table, Type.Array(ref("SyncRow"))])),
    ),
  }),
  Pushed: Type.Object({
    applied: count("Records of the push that stand now."),
    rejected: Type.Array(ref("RejectedChange")),
    merged: Type.Array(ref("MergedChange")),
    invalid: Type.Array(ref("InvalidChange")),
  }),
  RejectedChange: Type.Object(
    {
      table: RowTable,
      id: RecordId,
      updated_at: time("As it was sent."),
      reason: oneOf(
        ["stale", "clamped", "merged"],
        "stale: an older edit. clamped: its time was too far ahead, and was moved back. merged: put together with what an agent changed meanwhile.",
      ),
      server_row: ServerRow,
    },
    { description: "A record that does not stand as it was sent." },
  ),
  MergedChange: Type.Object(
    { table: RowTable, id: RecordId, server_row: ServerRow },
    { description: "A record into which was put back what the device cannot have seen." },
  ),
  InvalidChange: Type.Object(
    {
      index: count("Its place in the push."),
      table: orNull(Type.String()),
      id: orNull(Type.String()),
      error: Type.String(),
    },
    { description: "A record that cannot be taken." },
  ),
};
