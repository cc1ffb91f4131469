import { fieldsOf, newTask, pull, push, pushed, rowOf, rowsOf, task } from "../bench.ts";
import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { FLAG } from "../match.ts";

/** Everything that JSON can hold, also what no part of Docket reads. */
const OWN = { window: { pinned: true, list: [1, -0.5, null, ""] }, ключ: "🗂️", pages: "later" };

export const SYNC = checksOf("sync", [], {
  "A pushed record comes back as it was sent": async (bench) => {
    const sent = { ...task(bench, "echo", 0, OWN), updated_at: bench.at(0).replace("Z", "+00:00") };
    const folder = { ...sent, table: "sync_projects", payload: { name: bench.mark } };
    const bucket = { ...sent, table: "sync_buckets", payload: { name: bench.mark, kind: "x" } };
    await pushed(bench, sent, folder, bucket);
    const { rows } = await pull(bench.call);
    for (const { table, id, updated_at, payload } of [sent, folder, bucket]) {
      const row = rows.find((one) => one.table === table && one.id === id);
      must(row !== undefined, `GET /sync does not have the record in ${table}.`);
      must(row?.updated_at === updated_at, `updated_at came back as ${row?.updated_at}.`);
      must(row?.deleted_at === null, "deleted_at of a live record is not null.");
      must(Bun.deepEquals(row?.["payload"], payload), `The payload in ${table} came back changed.`);
    }
  },

  "since gives what changed later, and nothing else": async (bench) => {
    await pushed(bench, task(bench, "early", 0));
    const { reply } = await pull(bench.call);
    const since = String(reply["server_time"]);
    await pushed(bench, task(bench, "late", 0));
    const ids = (await pull(bench.call, since)).rows.map(({ id }) => id);
    must(ids.includes(`${bench.mark}-late`), "A pull lacks what was pushed after its since.");
    must(!ids.includes(`${bench.mark}-early`), "A pull has what was pushed before its since.");
  },

  "limit pages a pull without losing a record": async (bench) => {
    const { call, mark } = bench;
    let since = String((await pull(call)).reply["server_time"]);
    for (const name of ["p1", "p2", "p3"]) await pushed(bench, task(bench, name, 0));
    const ids: string[] = [];
    for (let more = true, page = 0; more && page < 20; page++) {
      const query = `since=${encodeURIComponent(since)}&limit=1`;
      const answer = await call("session", "GET", `/sync?${query}`);
      wants(answer, 200, { has_more: FLAG });
      ids.push(...rowsOf(answer).map(({ id }) => id));
      const { has_more, server_time } = fieldsOf(answer.json);
      [more, since] = [has_more === true, String(server_time)];
    }
    for (const name of ["p1", "p2", "p3"])
      must(ids.includes(`${mark}-${name}`), "A pull in pages lacks a record.");
  },

  "The later updated_at wins, and a stale record is rejected with the current row": async (
    bench,
  ) => {
    const [first, older, newer] = [0, -1, 1].map((ms) =>
      task(bench, "race", 1_000 + ms, { title: `${bench.mark} at ${ms}` }),
    );
    await pushed(bench, first);
    wants(await push(bench, older), 200, {
      applied: 0,
      rejected: [
        {
          table: "sync_tasks",
          id: first?.id,
          updated_at: older?.updated_at,
          reason: "stale",
          server_row: { id: first?.id, updated_at: first?.updated_at, payload: first?.payload },
        },
      ],
    });
    const kept = await rowOf(bench, String(first?.id));
    must(kept.updated_at === first?.updated_at, "A stale record was applied all the same.");
    await pushed(bench, newer);
    const won = await rowOf(bench, String(first?.id));
    must(won.updated_at === newer?.updated_at, "A newer record was not applied.");
  },

  "A push that is sent again changes nothing": async (bench) => {
    const record = task(bench, "again", 0);
    await pushed(bench, record);
    const { reply } = await pull(bench.call);
    await pushed(bench, record);
    const { rows } = await pull(bench.call, String(reply["server_time"]));
    must(!rows.some(({ id }) => id === record.id), "The record counts as changed again.");
  },

  "A record that is pushed twice at once is judged in order": async (bench) => {
    const [one, two] = [task(bench, "twice", 0), task(bench, "twice", 5, { colour: "teal" })];
    await pushed(bench, one, two);
    must((await rowOf(bench, one.id)).updated_at === two.updated_at, "The first one won.");
  },

  "What the API changes arrives with the next pull, and unknown fields survive": async (bench) => {
    const record = task(bench, "shared", 0, { window: { pinned: true } });
    await pushed(bench, record);
    const since = String((await pull(bench.call)).reply["server_time"]);
    const body = { status: "blocked" };
    wants(await bench.call("session", "PATCH", `/tasks/${record.id}`, { body }), 200, body);
    const row = (await pull(bench.call, since)).rows.find(({ id }) => id === record.id);
    must(row !== undefined, "The next pull does not have the task that PATCH changed.");
    const payload = fieldsOf(row?.["payload"]);
    must(payload["status"] === "blocked", "The payload does not have the new status.");
    must(Bun.deepEquals(payload["window"], { pinned: true }), "PATCH dropped an unknown field.");
  },

  "A push keeps a tab that its device has not seen": async (bench) => {
    const { id } = await newTask(bench, "unseen");
    const { payload, updated_at } = await rowOf(bench, id);
    const since = encodeURIComponent(String((await pull(bench.call)).reply["server_time"]));
    const url = `https://example.org/${bench.mark}/unseen`;
    wants(await bench.call("session", "POST", `/tasks/${id}/tabs`, { body: [{ url }] }), 201);
    const edited = {
      table: "sync_tasks",
      id,
      base_updated_at: updated_at,
      updated_at: (await rowOf(bench, id)).updated_at,
      payload: {
        ...fieldsOf(payload),
        colour: "teal",
      },
    };
    const body = [{ ...edited, updated_at: later(edited.updated_at) }];
    const answer = await bench.call("session", "POST", `/sync?since=${since}`, { body });
    wants(answer, 200, { applied: 1, rejected: [{ id, reason: "merged" }] });
    const shown = await bench.call("session", "GET", `/tasks/${id}`);
    wants(shown, 200, { colour: "teal", tabs: [{ url }] });
  },

  "A bad pull or push is refused": async (bench) => {
    refused(await bench.call("session", "GET", "/sync?since=yesterday"), 422);
    refused(await bench.call("session", "POST", "/sync", { text: "[" }), 400);
    refused(await bench.call("session", "POST", "/sync", { body: task(bench, "x", 0) }), 422);
  },
});

const later = (text: string): string => new Date(Date.parse(text) + 1).toISOString();
