import { newTask } from "../bench.ts";
import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { TEXT, UTC } from "../match.ts";

const BY_PERSON = { created_by: "person" };

export const TASKS = checksOf("tasks", [], {
  "POST /tasks creates a task, and GET /tasks/{id} returns it": async (bench) => {
    const { id } = await newTask(bench, "plain");
    const answer = await bench.call("session", "GET", `/tasks/${id}`);
    wants(answer, 200, {
      id,
      title: `${bench.mark} plain`,
      status: "todo",
      colour: null,
      ...BY_PERSON,
      folder: null,
      project_id: null,
      deleted_at: null,
      tabs: [],
      notes: [],
      created_at: UTC,
      updated_at: UTC,
    });
  },

  "POST /tasks takes status, colour, tabs and notes": async (bench) => {
    const url = `https://example.org/${bench.mark}`;
    const fields = { status: "in_progress", colour: "teal" };
    const children = { tabs: [{ url, title: "A" }, { url }], notes: ["One", { text: "Two" }] };
    const { id } = await newTask(bench, "whole", { ...fields, ...children });
    wants(await bench.call("session", "GET", `/tasks/${id}`), 200, {
      ...fields,
      tabs: [
        { id: TEXT, url, title: "A", ...BY_PERSON },
        { url, title: url },
      ],
      notes: [{ id: TEXT, text: "One", ...BY_PERSON }, { text: "Two" }],
    });
  },

  "PATCH changes the fields that are sent, and no others": async (bench) => {
    const { id } = await newTask(bench, "patch", { colour: "teal" });
    const path = `/tasks/${id}`;
    const status = "in_review";
    wants(await bench.call("session", "PATCH", path, { body: { status } }), 200, {
      id,
      status,
      colour: "teal",
      title: `${bench.mark} patch`,
    });
    const before = await bench.call("session", "PATCH", path, { body: { colour: null } });
    wants(before, 200, { status, colour: null });
    wants(await bench.call("session", "PATCH", path, { body: {} }), 200, before.json);
    wants(await bench.call("session", "GET", path), 200, before.json);
  },

  "PATCH with an If-Match that no longer holds answers 412": async (bench) => {
    const path = `/tasks/${(await newTask(bench, "match")).id}`;
    const etag = (await bench.call("session", "GET", path)).headers.get("etag");
    must(etag !== null, "GET /tasks/{id} has no ETag.");
    const headers = { "if-match": etag ?? "" };
    const patch = (colour: string) =>
      bench.call("session", "PATCH", path, { body: { colour }, headers });
    wants(await patch("red"), 200, { colour: "red" });
    refused(await patch("blue"), 412);
    wants(await bench.call("session", "GET", path), 200, { colour: "red" });
  },

  "A task that does not exist answers 404": async ({ call, mark }) => {
    const path = `/tasks/${mark}-none`;
    const tab = { url: "https://example.org/" };
    refused(await call("session", "GET", path), 404);
    refused(await call("session", "PATCH", path, { body: { status: "done" } }), 404);
    refused(await call("session", "POST", `${path}/tabs`, { body: [tab] }), 404);
    refused(await call("session", "POST", `${path}/notes`, { body: { text: "x" } }), 404);
  },
});
