import { type Case, by, type Json, PULL, pushing, replying, rows, TASK, when } from "./case.ts";

export const SYNC: readonly Case[] = [
  pushing(
    "drops fields that it does not know",
    (records) =>
      records.map(({ payload, ...record }) => {
        const { window: _window, ...known } = payload ?? {};
        return { ...record, payload: known };
      }),
    "A pushed record comes back as it was sent",
    "What the API changes arrives with the next pull, and unknown fields survive",
  ),
  when(
    "ignores since in a pull",
    PULL,
    ({ query, who }, pass) =>
      who === "session" && query.includes("since=20") && !query.includes("limit")
        ? pass({ query: "" })
        : null,
    "since gives what changed later, and nothing else",
    "A push that is sent again changes nothing",
  ),
  replying(
    "leaves deleted_at out of live records",
    PULL,
    (json) =>
      rows(json, (all) =>
        all.map(({ deleted_at: at, ...row }) => (at === null ? row : { ...row, deleted_at: at })),
      ),
    "A pushed record comes back as it was sent",
    "A newer live record brings a deleted one back",
  ),
  replying(
    "says too early that a pull is complete",
    PULL,
    (json) => (json.changes ? { ...json, has_more: false } : json),
    "limit pages a pull without losing a record",
  ),
  replying(
    "returns stale records as accepted",
    /^POST \/sync$/,
    (json) => {
      const stale = (json.rejected ?? []).filter((one: Json) => one.reason === "stale");
      return stale.length === 0 ? json : { ...json, applied: stale.length, rejected: [] };
    },
    "The later updated_at wins, and a stale record is rejected with the current row",
    "A tombstone deletes, comes with the next pull, and stays against older edits",
  ),
  pushing(
    "lets the last writer win, whatever the time of the edit",
    (records) =>
      records.map((record) =>
        record.id.endsWith("-race") && String(record.payload.title).endsWith("at -1")
          ? { ...record, updated_at: new Date(Date.parse(record.updated_at) + 1_000).toISOString() }
          : record,
      ),
    "The later updated_at wins, and a stale record is rejected with the current row",
  ),
  pushing(
    "counts a push that is sent again as a change",
    (records, seen) =>
      records.map((record) => {
        const text = JSON.stringify(record);
        if (!seen.has(text)) seen.add(text);
        else if (record.id.endsWith("-again"))
          return {
            ...record,
            updated_at: new Date(Date.parse(record.updated_at) + 1).toISOString(),
          };
        return record;
      }),
    "A push that is sent again changes nothing",
  ),
  pushing(
    "takes the first of two versions in a push",
    (records) => (String(records[0]?.id).endsWith("-twice") ? [records[0], records[0]] : records),
    "A record that is pushed twice at once is judged in order",
  ),
  replying(
    "does not deliver what the API changed",
    PULL,
    (json) => rows(json, (all) => all.filter(({ payload }) => payload.status !== "blocked")),
    "What the API changes arrives with the next pull, and unknown fields survive",
  ),
  replying(
    "throws away tabs that a device has not seen",
    TASK,
    (json) => (String(json.title).endsWith("unseen") ? { ...json, tabs: [] } : json),
    "A push keeps a tab that its device has not seen",
  ),
  by(
    "session",
    "takes any since for a time",
    PULL,
    ({ query }, pass) => (query === "?since=yesterday" ? pass({ query: "" }) : null),
    "A bad pull or push is refused",
  ),
];
