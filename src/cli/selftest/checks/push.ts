import { listed, pull, push, pushed, rowOf, task } from "../bench.ts";
import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { TEXT } from "../match.ts";

export const PUSH = checksOf("deletions and limits of a push", [], {
  "A tombstone deletes, comes with the next pull, and stays against older edits": async (bench) => {
    const record = task(bench, "gone", 0);
    await pushed(bench, record);
    const dead = { ...record, updated_at: bench.at(10), deleted_at: bench.at(10) };
    await pushed(bench, dead);
    const row = await rowOf(bench, record.id);
    must(row.deleted_at !== null, "The pulled row of a deleted record has no deleted_at.");
    refused(await bench.call("session", "GET", `/tasks/${record.id}`), 404);
    must(!(await listed(bench, "limit=200")).includes(record.id), "GET /tasks lists it.");
    const late = { ...record, updated_at: bench.at(9) };
    wants(await push(bench, late), 200, { applied: 0, rejected: [{ reason: "stale" }] });
    refused(await bench.call("session", "GET", `/tasks/${record.id}`), 404);
  },

  "A newer live record brings a deleted one back": async (bench) => {
    const record = task(bench, "back", 0);
    await pushed(bench, { ...record, deleted_at: record.updated_at });
    await pushed(bench, { ...record, updated_at: bench.at(1) });
    must((await rowOf(bench, record.id)).deleted_at === null, "It is still deleted.");
    wants(await bench.call("session", "GET", `/tasks/${record.id}`), 200);
  },

  "A task in a trash bucket is neither listed nor found open": async (bench) => {
    const bucket = { ...task(bench, "trash", 0), table: "sync_buckets" };
    await pushed(
      bench,
      { ...bucket, payload: { name: bench.mark, kind: "trash" } },
      task(bench, "thrown", 0, { bucket_id: bucket.id }),
    );
    const open = await listed(bench, "limit=200");
    must(!open.includes(`${bench.mark}-thrown`), "GET /tasks lists a task in a trash bucket.");
  },

  "A push may have 500 records": async (bench) => {
    // A hundred versions of five tasks: fewer tombstones are left than by 500 tasks.
    const records = Array.from({ length: 500 }, (_, at) => task(bench, `many${at % 5}`, at));
    await pushed(bench, ...records);
    const { rows } = await pull(bench.call);
    for (const { id, updated_at } of records.slice(-5))
      must(
        rows.find((row) => row.id === id)?.updated_at === updated_at,
        "Not every record of the push was applied.",
      );
  },

  "A push of 501 records is refused, and nothing of it is applied": async (bench) => {
    const records = Array.from({ length: 501 }, (_, at) => task(bench, `more${at % 5}`, at));
    refused(await push(bench, ...records), 422, "POST /sync with 501 records");
    const { rows } = await pull(bench.call);
    must(!rows.some(({ id }) => id === `${bench.mark}-more0`), "Some records were applied.");
  },

  "A bad record is listed in invalid, and the others are applied": async (bench) => {
    const good = [task(bench, "good1", 0), task(bench, "good2", 0)];
    const bad = { ...task(bench, "bad", 0), updated_at: "yesterday" };
    const answer = await push(bench, good[0], bad, good[1], { ...bad, table: "sync_x" });
    const invalid = [
      { index: 1, id: bad.id, error: TEXT },
      { index: 3, error: TEXT },
    ];
    wants(answer, 200, { applied: 2, rejected: [], invalid });
    for (const { id } of good) await rowOf(bench, id);
  },

  "A record from a clock far ahead is clamped": async (bench) => {
    const record = task(bench, "ahead", 24 * 3_600_000);
    const clamped = { id: record.id, reason: "clamped", server_row: { id: record.id } };
    wants(await push(bench, record), 200, { applied: 1, rejected: [clamped] });
    const { updated_at } = await rowOf(bench, record.id);
    must(updated_at < bench.at(3_600_000), `It is stored with ${updated_at}.`);
  },
});
