import { describe, expect, test } from "bun:test";
import { change, newcomer, sharedServer, taskRow } from "../support/replies.ts";
import { agent } from "../support/mcp/agent.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const { call } = server;

const SECRET = "Surprise for bob";
const TAB = { url: "https://a.example/", title: "A" };

/** Ann, with a task and a folder that nobody else may see, and a key that may only write. */
const world = async () => {
  const ann = await newcomer(server);
  const secret = {
    title: SECRET,
    status: "secretly",
    colour: "#5ec2e7",
    project_id: "hidden",
    bucket_id: "secret-bucket",
    due: "2031-01-07",
    tags: ["secret-tag"],
    position: "s3cret",
  };
  await call("POST", "/sync", {
    token: ann.session,
    body: [
      change("sync_projects", "hidden", { name: "Secret folder" }),
      change("sync_tasks", "t1", secret),
    ],
  });
  return { ann, writer: await ann.key(["write"]), reader: await ann.key() };
};

/** What ann's task has that a reply must not show. */
const SECRETS = ["Surprise", "ecret", "5ec2e7", "2031-01", "hidden"];

const expectNothingOf = (text: string): void => {
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
};

describe("a key without the scope read is shown ids and what it sent, over REST", () => {
  test.each([
    ["nothing", {}],
    ["a title", { title: "Seen" }],
    ["tags and a day", { tags: ["a", "a"], due: null }],
    ["no tags", { tags: null }],
  ])("PATCH with %s", async (_what, body) => {
    const { writer } = await world();
    const asked = await call("PATCH", "/tasks/t1?dry_run=true", { token: writer, body });
    expect([asked.status, asked.json]).toEqual([200, { id: "t1", ...body, dry_run: true }]);
    const done = await call("PATCH", "/tasks/t1", { token: writer, body });
    expect([done.status, done.json]).toEqual([200, { id: "t1", ...body }]);
    expect(done.headers.get("etag")).toBeNull();
    expectNothingOf(done.text);
  });

  test("every other call that writes", async () => {
    const { writer, ann } = await world();
    const headers = { "idempotency-key": '"once"' };
    const sent: readonly [string, unknown][] = [
      ["/tasks", { title: "New" }],
      ["/tasks/t1/tabs", [TAB]],
      ["/tasks/t1/notes", { text: "n" }],
      ["/inbox/tabs", [TAB]],
      ["/projects", { name: "New" }],
    ];
    for (const [path, body] of sent)
      for (const query of ["?dry_run=true", "", ""]) {
        const reply = await call("POST", path + query, { token: writer, body, headers });
        expect(reply.status).toBeOneOf([200, 201]);
        expectNothingOf(reply.text);
      }
    const filed = await call("POST", "/inbox/tabs", { token: writer, body: [TAB] });
    expect(filed.json.task).toEqual({ id: expect.any(String) as string });
    const whole = await call("POST", "/inbox/tabs", { token: ann.session, body: [TAB] });
    expect(whole.json.task).toMatchObject({ title: "Agent unsorted", tab_count: 3 });
  });

  test("with read as well, the task is shown as before", async () => {
    const { reader } = await world();
    const done = await call("PATCH", "/tasks/t1", { token: reader, body: { title: "Seen" } });
    expect(done.json).toMatchObject({
      ...taskRow(),
      ...done.json,
      title: "Seen",
      folder: "hidden",
    });
    expect(done.headers.get("etag")).not.toBeNull();
  });
});

describe("a key without the scope read is shown ids and what it sent, over MCP", () => {
  const id = "t1";
  test.each<[string, object, unknown]>([
    [
      "write_note",
      { task_id: id, text: "n" },
      { task: { id }, note_id: expect.any(String) as string },
    ],
    ["file_tabs", { task_id: id, tabs: [TAB] }, { task: { id }, tabs_filed: 1 }],
    ["file_tabs", { tabs: [TAB] }, { task: { id: expect.any(String) as string }, tabs_filed: 1 }],
    ["change_tasks", { task_ids: [id], status: "done" }, { tasks: [{ id, status: "done" }] }],
  ])("%s %j", async (tool, args, expected) => {
    const { writer } = await world();
    expect(await agent(server, writer).does(tool, args)).toEqual(expected);
  });

  test("a task that it makes is its own, and shown whole", async () => {
    const { writer } = await world();
    const { task } = await agent(server, writer).does("add_task", { title: "New" });
    expect(task).toMatchObject({ title: "New", status: "todo", created_by: "agent" });
  });

  test("with read as well, the task is shown as before", async () => {
    const { reader } = await world();
    const { task } = await agent(server, reader).does("write_note", { task_id: id, text: "n" });
    expect(task).toMatchObject({ id, title: SECRET, note_count: 1 });
  });
});
