import { listed, newTask } from "../bench.ts";
import { must, refused } from "../expect.ts";
import { checksOf } from "../check.ts";
import type { RequestParts } from "../client.ts";

export const BODIES = checksOf("bodies", [], {
  "A bad body is refused with its own status, and creates nothing": async (bench) => {
    const { call, mark } = bench;
    const title = `${mark} bad`;
    const bad: readonly (readonly [what: string, status: number, asked: RequestParts])[] = [
      ["a body that is not JSON", 400, { text: `{"title": "${title}"` }],
      ["another content type", 415, { body: { title }, headers: { "content-type": "text/plain" } }],
      ["no title", 422, { body: { status: "todo", colour: mark } }],
      ["a title that is a number", 422, { body: { title: 7, colour: mark } }],
      ["a title of 501 characters", 422, { body: { title: title.padEnd(501, "x") } }],
      ["an array", 422, { body: [{ title }] }],
      ["more than 1 MiB", 413, { body: { title, notes: ["x".repeat(1024 * 1024)] } }],
    ];
    for (const [what, status, asked] of bad)
      refused(await call("session", "POST", "/tasks", asked), status, `POST /tasks with ${what}`);
    const query = `since=${encodeURIComponent(bench.since)}&limit=200`;
    const answer = await call("session", "GET", `/tasks?${query}`);
    must(!answer.text.includes(title), "A refused body created a task all the same.");
  },

  "A session's PATCH cannot delete (422)": async (bench) => {
    const { id } = await newTask(bench, "kept");
    const body = { deleted_at: bench.at(0) };
    refused(await bench.call("session", "PATCH", `/tasks/${id}`, { body }), 422);
    must((await listed(bench, "limit=200")).includes(id), "The task is gone all the same.");
  },
});
