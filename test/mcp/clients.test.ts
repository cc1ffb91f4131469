import { fromJsonSchema, type JsonSchemaType } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CURRENT, LAST } from "../support/bridge.ts";
import { connect, type Place, type Way } from "../support/mcp.ts";
import { makeCredentials, type ServerProcess, startServerProcess } from "../support/process.ts";
import { buildBinary } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

// The official client calls every tool of the executable, over HTTP and through `docket mcp`.

const directory = testDirectory();
let server: ServerProcess;
let place: Place;

beforeAll(async () => {
  const program = await buildBinary();
  const { key } = await makeCredentials(directory);
  server = await startServerProcess(directory, { program });
  place = { url: server.url(), key, program };
  const body = JSON.stringify([{ url: "https://loose.example/" }]);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const made = await fetch(`${place.url}/api/public/v1/inbox/tabs`, {
    method: "POST",
    headers,
    body,
  });
  expect(made.status).toBe(201);
});

afterAll(() => server.stop("SIGTERM"));

type Fields = Readonly<Record<string, unknown>>;

/** The tools' answers so far, by tool. */
type Answers = Readonly<
  Record<
    string,
    { readonly task?: { readonly id: string }; readonly tabs?: readonly { readonly id: string }[] }
  >
>;

let journeys = 0;

/**
 * One call of each tool, in an order in which each has what it needs, and the answer it must give.
 */
const CALLS: Readonly<Record<string, (answers: Answers) => readonly [Fields, Fields]>> = {
  // A key cannot make two folders of one name, and each client makes one.
  add_folder: () => {
    const name = `Travel ${++journeys}`;
    return [{ name }, { folder: { name, task_count: 0 } }];
  },
  add_task: () => [
    {
      title: "Lisbon by train",
      folder: `Travel ${journeys}`,
      tabs: [{ url: "https://trains.example/lisbon", title: "Night trains" }],
      notes: ["Leave on Friday."],
    },
    { task: { title: "Lisbon by train", tab_count: 1, note_count: 1, created_by: "agent" } },
  ],
  file_tabs: ({ add_task }) => [
    { task_id: add_task?.task?.id, tabs: [{ url: "https://hotels.example/" }] },
    { task: { tab_count: 2 }, tabs_filed: 1 },
  ],
  write_note: ({ add_task }) => [
    { task_id: add_task?.task?.id, text: "Window seats." },
    { task: { note_count: 2 } },
  ],
  change_tasks: ({ add_task }) => [
    { task_ids: [add_task?.task?.id], status: "in_progress" },
    { tasks: [{ status: "in_progress" }] },
  ],
  find_tasks: ({ add_task }) => [
    { q: "night trains" },
    { tasks: expect.arrayContaining([expect.objectContaining({ id: add_task?.task?.id })]) },
  ],
  read_task: ({ add_task }) => [
    { task_id: add_task?.task?.id },
    {
      task: { id: add_task?.task?.id, status: "in_progress" },
      tabs: [{ title: "Night trains" }, { url: "https://hotels.example/" }],
      notes: [{ text: "Leave on Friday." }, { text: "Window seats." }],
    },
  ],
  move_tabs: ({ add_task, read_task }) => [
    { from: add_task?.task?.id, task_id: "inbox", tabs: [read_task?.tabs?.[0]?.id] },
    { task: { title: "Agent unsorted" }, tabs_moved: 1 },
  ],
  find_changes: () => [{}, { changes: [], has_more: false }],
  claim_task: ({ add_task }) => [
    { task_id: add_task?.task?.id, for: "1h" },
    { task: { claimed_by: "bot" } },
  ],
  release_task: ({ add_task }) => [{ task_id: add_task?.task?.id }, { released: true }],
  list_folders: () => [
    {},
    { folders: expect.arrayContaining([expect.objectContaining({ name: `Travel ${journeys}` })]) },
  ],
};

/** One call of each tool that it refuses, and the sentence that says why. */
const REFUSED: Readonly<Record<string, readonly [Fields, string]>> = {
  add_folder: [{ name: "" }, "name must have 1 to 200 characters, but has 0."],
  add_task: [
    { title: "x", due: "soon" },
    "due must be a date that exists, such as 2026-01-31, or null.",
  ],
  file_tabs: [
    { tabs: [{ url: "file:///etc/passwd" }] },
    "The url of tab 0 must be a full http:// or https:// address.",
  ],
  write_note: [
    { task_id: "nothing", text: "x" },
    "Task not found. It may have been deleted. Ids come from find_tasks.",
  ],
  change_tasks: [
    { task_ids: ["nothing"], title: "x" },
    "Task not found. It may have been deleted. Ids come from find_tasks.",
  ],
  find_tasks: [{ limit: 0 }, "limit must be a whole number from 1 to 50."],
  read_task: [
    { task_id: "nothing" },
    "Task not found. It may have been deleted. Ids come from find_tasks.",
  ],
  move_tabs: [
    { from: "nothing", task_id: "inbox", tabs: ["x"] },
    "Task not found. It may have been deleted. Ids come from find_tasks.",
  ],
  find_changes: [
    { since: "yesterday" },
    "since must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.",
  ],
  claim_task: [
    { task_id: "x", for: "1s" },
    "for must be a length of time from 1m to 24h, such as 2h.",
  ],
  release_task: [{}, "task_id is missing."],
  list_folders: [{ from: -1 }, "from must be next of the last answer."],
};

const WAYS: readonly Way[] = ["over HTTP", "over stdio"];
const MEETINGS = WAYS.flatMap((way) =>
  [CURRENT, LAST, "2025-06-18"].map((spoken) => [spoken, way] as const),
);

describe.each(MEETINGS)("In revision %s %s", (revision, way) => {
  test("every listed tool does what it says", async () => {
    const client = await connect(way, revision, place);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted());
    const answers: Record<string, object> = {};
    for (const [name, call] of Object.entries(CALLS)) {
      const [args, expected] = call(answers);
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new Error(`${name} is not listed.`);
      // The same schema; the two packages merely type its absent parts differently.
      const schema = fromJsonSchema(tool.inputSchema as JsonSchemaType)["~standard"];
      expect([name, await schema.validate(args)]).toEqual([name, { value: args }]);
      // For a tool with an output schema, the client checks the answer against it and throws.
      const { isError, structuredContent, content } = await client.callTool({
        name,
        arguments: args,
      });
      expect(content).toEqual([{ type: "text", text: JSON.stringify(structuredContent) }]);
      answers[name] = Object.assign({}, structuredContent);
      expect([name, isError, structuredContent]).toMatchObject([name, undefined, expected]);
    }
    await client.close();
  });

  test("a tool's refusal is a result that says what to do", async () => {
    const client = await connect(way, revision, place);
    const said: Record<string, readonly [Fields, unknown]> = {};
    expect(Object.keys(REFUSED)).toEqual(Object.keys(CALLS));
    for (const [name, [args]] of Object.entries(REFUSED)) {
      const { isError, content } = await client.callTool({ name, arguments: args });
      expect([name, isError]).toEqual([name, true]);
      said[name] = [args, content[0]?.type === "text" ? content[0].text : content];
    }
    expect(said).toEqual(REFUSED);
    await client.close();
  });
});
