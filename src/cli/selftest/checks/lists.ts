import { fieldsOf, listed, listOf, newTask, pull } from "../bench.ts";
import { must, refused, wants } from "../expect.ts";
import { checksOf } from "../check.ts";
import { UTC } from "../match.ts";

export const LISTS = checksOf("lists", [], {
  "GET /tasks lists open tasks, newest change first": async (bench) => {
    const { call } = bench;
    const since = encodeURIComponent(String((await pull(call)).reply["server_time"]));
    const first = await newTask(bench, "first");
    const done = await newTask(bench, "done", { status: "done" });
    const second = await newTask(bench, "second");
    const body = { colour: "teal" };
    wants(await call("session", "PATCH", `/tasks/${first.id}`, { body }), 200);
    const shown = (await listed(bench, `since=${since}&limit=200`)).filter((id) =>
      [first.id, done.id, second.id].includes(id),
    );
    must(!shown.includes(done.id), "GET /tasks lists a task whose status is done.");
    must(shown.join() === [first.id, second.id].join(), "The task changed last is not first.");
  },

  "status, project_id and created_by filter the list": async (bench) => {
    const { call, mark } = bench;
    const made = await call("session", "POST", "/projects", { body: { name: `${mark} folder` } });
    const project_id = fieldsOf(made.json)["id"];
    const { id } = await newTask(bench, "filed", { project_id, status: "done" });
    const cases: readonly (readonly [query: string, isListed: boolean])[] = [
      ["status=done", true],
      ["status=todo,done", true],
      ["status=todo", false],
      [`status=done&project_id=${project_id}`, true],
      ["status=done&project_id=none", false],
      ["status=done&created_by=person", true],
      ["status=done&created_by=agent", false],
    ];
    for (const [query, isListed] of cases) {
      const found = (await listed(bench, `${query}&limit=200`)).includes(id);
      must(
        found === isListed,
        `GET /tasks?${query} ${found ? "lists" : "does not list"} the task.`,
      );
    }
  },

  "since leaves out what changed before": async (bench) => {
    const { id } = await newTask(bench, "before");
    const time = encodeURIComponent(String((await pull(bench.call)).reply["server_time"]));
    const found = await listed(bench, `since=${time}`);
    must(!found.includes(id), "GET /tasks?since= lists a task that changed before that time.");
  },

  "cursor leads through all pages, each task once": async (bench) => {
    const { call } = bench;
    const since = encodeURIComponent(String((await pull(call)).reply["server_time"]));
    const ids: string[] = [];
    for (const name of ["page 1", "page 2", "page 3"]) ids.unshift((await newTask(bench, name)).id);
    const found: string[] = [];
    let cursor: unknown = null;
    do {
      const next = cursor === null ? "" : `&cursor=${encodeURIComponent(String(cursor))}`;
      const answer = await call("session", "GET", `/tasks?since=${since}&limit=2${next}`);
      wants(answer, 200, { server_time: UTC });
      const { tasks, next_cursor } = fieldsOf(answer.json);
      found.push(...listOf(tasks).map((row) => String(fieldsOf(row)["id"])));
      cursor = next_cursor;
    } while (cursor !== null && cursor !== undefined && found.length < 20);
    const own = found.filter((id) => ids.includes(id));
    must(own.join() === ids.join(), `The pages have ${own.length} of 3 tasks, or another order.`);
  },

  "A bad query answers 422": async ({ call }) => {
    for (const query of ["limit=0", "limit=201", "limit=x", "since=yesterday", "cursor=x"])
      refused(await call("session", "GET", `/tasks?${query}`), 422);
  },
});
