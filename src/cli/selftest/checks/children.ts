import { fieldsOf, newTask } from "../bench.ts";
import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { LIST, TEXT } from "../match.ts";

const tabs = (mark: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://example.org/${mark}/${at}`,
    title: `Tab ${at}`,
  }));

export const CHILDREN = checksOf("tabs, notes and folders", [], {
  "POST /tasks/{id}/tabs files 100 tabs in their order": async (bench) => {
    const path = `/tasks/${(await newTask(bench, "tabs")).id}`;
    const body = tabs(bench.mark, 100);
    wants(await bench.call("session", "POST", `${path}/tabs`, { body }), 201, { tabs: body });
    wants(await bench.call("session", "GET", path), 200, { tabs: body });
  },

  "101 tabs, no tab, or something else is refused, and files nothing": async (bench) => {
    const path = `/tasks/${(await newTask(bench, "no tabs")).id}`;
    for (const body of [tabs(bench.mark, 101), [], { url: "https://example.org/" }, [{}]])
      refused(await bench.call("session", "POST", `${path}/tabs`, { body }), 422);
    wants(await bench.call("session", "GET", path), 200, { tabs: [] });
  },

  "POST /tasks/{id}/notes adds a note": async (bench) => {
    const path = `/tasks/${(await newTask(bench, "notes")).id}`;
    const note = { text: "Größe\n\u65E5\u672C 🗂️" };
    const added = await bench.call("session", "POST", `${path}/notes`, { body: note });
    wants(added, 201, { id: TEXT, ...note, created_by: "person" });
    for (const body of [{ text: "" }, { text: 7 }, {}, { text: "x".repeat(20_001) }])
      refused(await bench.call("session", "POST", `${path}/notes`, { body }), 422);
    wants(await bench.call("session", "GET", path), 200, { notes: [note] });
  },

  "POST /inbox/tabs files into a task called Agent unsorted": async ({ call, mark }) => {
    const body = tabs(`${mark}/inbox`, 2);
    const answer = await call("session", "POST", "/inbox/tabs", { body });
    wants(answer, 201, { tabs: body, task: { id: TEXT, title: "Agent unsorted" } });
    const { id } = fieldsOf(fieldsOf(answer.json)["task"]);
    const shown = await call("session", "GET", `/tasks/${id}`);
    const isFiled = body.every(({ url }) => shown.text.includes(JSON.stringify(url)));
    must(isFiled, "The tabs are not in the task that the reply names.");
    refused(await call("session", "POST", "/inbox/tabs", { body: [] }), 422);
  },

  "POST /projects creates a folder, and GET /projects lists it": async (bench) => {
    const { call, mark } = bench;
    const name = `${mark} projects`;
    const made = await call("session", "POST", "/projects", { body: { name } });
    wants(made, 201, { id: TEXT, name, created_by: "person" });
    const { id } = fieldsOf(made.json);
    const list = await call("session", "GET", "/projects");
    wants(list, 200, { projects: LIST });
    must(list.text.includes(JSON.stringify(id)), "GET /projects does not list the new folder.");
    for (const bad of [{}, { name: "" }, { name: 7 }])
      refused(await call("session", "POST", "/projects", { body: { ...bad, colour: mark } }), 422);
    const filed = await newTask(bench, "in a folder", { folder: name });
    must(filed["project_id"] === id, "POST /tasks does not take a folder by its name.");
    must(filed["folder"] === id, "folder and project_id of a task differ.");
  },
});
