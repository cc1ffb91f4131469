import { type Case, by, PULL, pushing, replying, rows, when } from "./case.ts";
import { changed, own } from "../../../support/cli/wrong.ts";

export const PUSH: readonly Case[] = [
  replying(
    "forgets what was deleted",
    PULL,
    (json) =>
      rows(json, (all) => all.filter((row) => row.deleted_at === null || row.id.endsWith("-back"))),
    "A tombstone deletes, comes with the next pull, and stays against older edits",
  ),
  replying(
    "never brings back what was deleted",
    PULL,
    (json) =>
      rows(json, (all) =>
        all.map((row) => (row.id.endsWith("-back") ? { ...row, deleted_at: row.updated_at } : row)),
      ),
    "A newer live record brings a deleted one back",
  ),
  pushing(
    "does not know trash buckets",
    (records) =>
      records.map((record) =>
        record.id.endsWith("-trash")
          ? { ...record, payload: { ...record.payload, kind: "x" } }
          : record,
      ),
    "A task in a trash bucket is neither listed nor found open",
  ),
  pushing(
    "applies only the first 100 records of a push",
    (records) => (records.length === 500 ? records.slice(0, 100) : records),
    "A push may have 500 records",
  ),
  pushing(
    "takes the first 500 of 501 records",
    (records) => (records.length === 501 ? records.slice(0, 500) : records),
    "A push of 501 records is refused, and nothing of it is applied",
  ),
  by(
    "session",
    "refuses a push because of one bad record",
    /^POST \/sync$/,
    ({ text }) => (/"yesterday"/.test(text) ? own(422, { error: "Bad." }) : null),
    "A bad record is listed in invalid, and the others are applied",
  ),
  replying(
    "believes a clock that is far ahead",
    /^POST \/sync$/,
    (json) => (json.rejected?.[0]?.reason === "clamped" ? { ...json, rejected: [] } : json),
    "A record from a clock far ahead is clamped",
  ),
];

export const RETRIES: readonly Case[] = [
  when(
    "does not know Idempotency-Key",
    /./,
    ({ headers }, pass) =>
      headers.has("idempotency-key") ? pass({ headers: { "idempotency-key": null } }) : null,
    "A write that is sent again with its Idempotency-Key happens once",
    "An Idempotency-Key with another body answers 422",
  ),
  when(
    "does not say that it repeats a reply",
    /^POST \/tasks$/,
    (_asked, pass) => changed(pass(), undefined, { without: "idempotency-replayed" }),
    "A write that is sent again with its Idempotency-Key happens once",
  ),
  when(
    "repeats its reply to another body",
    /^POST \/tasks$/,
    ({ headers, text, json }, pass) =>
      headers.has("idempotency-key") && text.includes(" two")
        ? pass({ body: { title: json.title.replace(" two", " one") } })
        : null,
    "An Idempotency-Key with another body answers 422",
  ),
];
