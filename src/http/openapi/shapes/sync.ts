import { Type } from "@sinclair/typebox";
import { TABLES } from "../../../domain/base/record.ts";
import { anything, count, oneOf, orNull, RecordId, ref, time } from "./parts.ts";

// What a device pushes and pulls, and what it gets back.

const RowTable = oneOf(TABLES);

const Rev = Type.String({
  description:
    "Names this version of the record. Send it as `expected_rev` when you have changed it. Do not look inside.",
});

const Row = {
  id: RecordId,
  updated_at: time("The time as the device wrote it, unchanged."),
  deleted_at: orNull(time("Set on a tombstone, which is a deleted record.")),
  payload: anything("The record's content as the extension sent it, with every field."),
  created_by: oneOf(["agent", "person"]),
  created_by_key: Type.Optional(
    Type.String({ description: "The name of the API key that created it, if one did." }),
  ),
  rev: Rev,
};

const ServerRow = Type.Union([ref("SyncRow"), Type.Null()], {
  description: "The server's current row. Store it in place of yours.",
});

/** One record of a push. Each is checked on its own, so an invalid record does not affect the others. */
export const CHANGE = Type.Object(
  {
    table: RowTable,
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "The extension chooses it. It must not contain control characters, and must not be `.` or `..`.",
      pattern: "^(?!\\.{1,2}$)[^\\u0000-\\u001F\\u007F-\\u009F]*$",
    }),
    updated_at: time("When the record was edited, by the device's clock. The later edit wins."),
    deleted_at: Type.Optional(
      orNull(time("If you set it, the record is deleted, and you may leave out `payload`.")),
    ),
    payload: Type.Optional(
      anything(
        "At most 1 MiB of JSON, nested at most 64 levels deep. It is stored as you sent it.",
      ),
    ),
    base_updated_at: Type.Optional(
      time(
        "The `updated_at` of the version that the person edited: the last one that you got from the server or sent to it. It lets the server merge your edit with what was done through the API meanwhile.",
      ),
    ),
    expected_updated_at: Type.Optional(
      orNull(
        time(
          "The `updated_at` of the newest version that you know, or null if you know of none. If the server has a later one, it takes nothing and answers `stale` with its row, so that you can make the edit again on that.",
        ),
      ),
    ),
    base_rev: Type.Optional(
      orNull(
        Type.String({ description: "The exact form of `base_updated_at`: the version's `rev`." }),
      ),
    ),
    expected_rev: Type.Optional(
      orNull(
        Type.String({
          description:
            "The exact form of `expected_updated_at`: the `rev` of the newest version that you know, or null if you know of none.",
        }),
      ),
    ),
    changed_at: Type.Optional(
      Type.Record(Type.String(), time("When the person changed this field."), {
        maxProperties: 100,
        description:
          "The fields of the payload that the person changed, and when. Other devices are told it in `changed_by_devices`.",
      }),
    ),
  },
  { description: "A change record. Anything else is listed in `invalid`." },
);

/** The replies of sync. */
export const SYNC = {
  SyncRow: Type.Object(Row, { description: "A record, as a pull returns it." }),
  Pull: Type.Object({
    server_time: time("Once you have stored all rows, save it and send it as the next `since`."),
    epoch: Type.String({
      description:
        "If it changes, the server was restored from a backup. Discard this reply, push everything you have without `since`, and then pull without `since`.",
    }),
    has_more: Type.Boolean({
      description:
        "Whether there is more to pull with this `server_time`. It can be true only if you sent `limit`.",
    }),
    changes: Type.Object(
      Object.fromEntries(TABLES.map((table) => [table, Type.Array(ref("SyncRow"))])),
    ),
  }),
  Pushed: Type.Object({
    applied: count(
      "How many of the pushed records were applied, including those that were clamped or merged.",
    ),
    epoch: Type.Optional(
      Type.String({
        description:
          "As in a pull. Only if a record of the push has `expected_rev` or `expected_updated_at`. If it has changed, discard this reply.",
      }),
    ),
    revs: Type.Array(Type.Object({ table: RowTable, id: RecordId, rev: Rev }), {
      description: "The records that are stored as you sent them.",
    }),
    rejected: Type.Array(ref("RejectedChange"), {
      description: "The records that are not stored as you sent them.",
    }),
    merged: Type.Array(ref("MergedChange"), {
      description:
        "The rejected records that were merged, once more. A client that stores the rows in `rejected` need not read this.",
    }),
    invalid: Type.Array(ref("InvalidChange")),
  }),
  RejectedChange: Type.Object(
    {
      table: RowTable,
      id: RecordId,
      updated_at: time("The time as you sent it."),
      reason: oneOf(
        ["stale", "clamped", "merged"],
        "stale: the server has a newer edit. clamped: the time was too far ahead and was moved back. merged: the record was merged with changes that the device cannot have seen.",
      ),
      was_stored: Type.Optional(
        Type.Boolean({
          description:
            "True if a `stale` record was stored before, and the server's row was made on top of it. Then do not make the edit again. Only for records with `expected_rev` or `expected_updated_at`.",
        }),
      ),
      device_updated_at: Type.Optional(
        time(
          "The `updated_at` of the version that a device pushed last. Later ones were made through the API. Only for records with `expected_rev` or `expected_updated_at`.",
        ),
      ),
      deleted_by_device: Type.Optional(
        Type.Boolean({
          description:
            "Whether the record was deleted by a device since the version that you expected, and not through the API. Only for `stale` records with `expected_rev` or `expected_updated_at` that were deleted since.",
        }),
      ),
      changed_by_devices: Type.Optional(
        Type.Record(
          Type.String(),
          time(
            "When the device changed it: as it said in `changed_at`, or else the `updated_at` of its version.",
          ),
          {
            description:
              "The fields of the payload that devices have changed since the version that you expected. Only for `stale` records with `expected_rev` or `expected_updated_at`.",
          },
        ),
      ),
      server_row: ServerRow,
    },
    {
      description:
        "A record that is not stored as you sent it. `clamped` and `merged` records were applied.",
    },
  ),
  MergedChange: Type.Object(
    { table: RowTable, id: RecordId, server_row: ServerRow },
    {
      description:
        "A record that was applied together with changes that the device cannot have seen. It is in `rejected` too.",
    },
  ),
  InvalidChange: Type.Object(
    {
      index: count("The record's position in the push, counted from 0."),
      table: orNull(Type.String()),
      id: orNull(Type.String()),
      error: Type.String(),
    },
    { description: "A record that is not valid, and was not applied." },
  ),
};
