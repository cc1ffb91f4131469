import { fieldsOf, listed, newTask, pull, pushed, rowOf, task } from "../bench.ts";
import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { TEXT } from "../match.ts";

const BY_AGENT = { created_by: "agent", created_by_key: TEXT };

export const KEYS = checksOf("API keys", ["key"], {
  "GET /me describes the key": async ({ call }) => {
    const key = { credential: "api_key", scopes: ["read", "write"] };
    wants(await call("key", "GET", "/me"), 200, { id: TEXT, email: TEXT, plan: TEXT, ...key });
    wants(await call("key", "GET", "/entitlement"), 200, { pro: true });
  },

  "A key cannot sync (403)": async (bench) => {
    refused(await bench.call("key", "GET", "/sync"), 403);
    const record = task(bench, "by key", 0);
    refused(await bench.call("key", "POST", "/sync", { body: [record] }), 403);
    const { rows } = await pull(bench.call);
    must(!rows.some(({ id }) => id === record.id), "The record was applied all the same.");
  },

  "DELETE and PUT by a key answer 405, and delete nothing": async (bench) => {
    const path = `/tasks/${(await newTask(bench, "not deleted")).id}`;
    for (const method of ["DELETE", "PUT"])
      refused(await bench.call("key", method, path, { body: {} }), 405, `${method} by a key`);
    wants(await bench.call("session", "GET", path), 200);
  },

  "A key cannot set deleted_at (403), and nothing of its request is applied": async (bench) => {
    const { id } = await newTask(bench, "alive");
    for (const deleted_at of [bench.at(0), null]) {
      const body = { deleted_at, colour: "red" };
      refused(await bench.call("key", "PATCH", `/tasks/${id}`, { body }), 403, "PATCH deleted_at");
    }
    wants(await bench.call("session", "GET", `/tasks/${id}`), 200, { colour: null });
  },

  "A key cannot move a task to trash (403)": async (bench) => {
    const bucket = { ...task(bench, "bin", 0), table: "sync_buckets" };
    await pushed(bench, { ...bucket, payload: { name: bench.mark, kind: "trash" } });
    const { id } = await newTask(bench, "not trash");
    const body = { bucket_id: bucket.id };
    refused(await bench.call("key", "PATCH", `/tasks/${id}`, { body }), 403);
    must((await listed(bench, "limit=200")).includes(id), "The task is in the trash all the same.");
  },

  "Tasks, tabs and notes by a key are marked as an agent's": async (bench) => {
    const { id, ...made } = await newTask(bench, "by agent", {}, "key");
    must(made["created_by"] === "agent", "created_by of a task by a key is not agent.");
    const path = `/tasks/${id}`;
    const url = `https://example.org/${bench.mark}/agent`;
    const tabs = [{ url, ...BY_AGENT }];
    wants(await bench.call("key", "POST", `${path}/tabs`, { body: [{ url }] }), 201, { tabs });
    const note = await bench.call("key", "POST", `${path}/notes`, { body: { text: "x" } });
    wants(note, 201, { text: "x", ...BY_AGENT });
    const all = { ...BY_AGENT, tabs, notes: [{ text: "x", ...BY_AGENT }] };
    wants(await bench.call("session", "GET", path), 200, all);
  },

  "A key cannot pass for a person": async (bench) => {
    const body = { title: `${bench.mark} forged`, created_by: "person" };
    const answer = await bench.call("key", "POST", "/tasks", { body });
    // A server may refuse fields that it does not take.
    if (answer.status === 422) return refused(answer, 422);
    wants(answer, 201, { created_by: "agent" });
  },

  "What an agent made stays an agent's when a device pushes it": async (bench) => {
    const { id } = await newTask(bench, "stays", {}, "key");
    const row = await rowOf(bench, id);
    const payload = { ...fieldsOf(row["payload"]), created_by: "person", colour: "teal" };
    const updated_at = new Date(Date.parse(row.updated_at) + 1).toISOString();
    await pushed(bench, {
      table: "sync_tasks",
      id,
      updated_at,
      base_updated_at: row.updated_at,
      payload,
    });
    const shown = await bench.call("session", "GET", `/tasks/${id}`);
    wants(shown, 200, { colour: "teal", created_by: "agent" });
  },

  "A key files addresses of http and https only": async (bench) => {
    const path = `/tasks/${(await newTask(bench, "links")).id}`;
    for (const url of ["javascript:alert(1)", "file:///etc/passwd", "https://ann:x@example.org/"])
      refused(
        await bench.call("key", "POST", `${path}/tabs`, { body: [{ url }] }),
        422,
        `A tab with ${url}`,
      );
    wants(await bench.call("session", "GET", path), 200, { tabs: [] });
  },
});
