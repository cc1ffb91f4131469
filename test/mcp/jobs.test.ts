import { describe, expect, test } from "bun:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import { calling, resultOf } from "../support/mcp/agent.ts";

// What an agent does in a day, with nothing but the address and a key, over REST and over MCP: how many calls each job takes,
// and how many tokens its replies have. The guide for agents has these figures.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });

const NOTE =
  "The night train to Lisbon leaves at 9:40 pm from platform 4, and its berths sell out in April.";

/** Thirty tasks with tabs and notes, an inbox, and an agent whose calls and tokens are counted. */
const someone = async () => {
  const ann = await newcomer(server);
  const key = await ann.key(["read", "write"], "helper");
  const push = (...body: readonly unknown[]) =>
    server.call("POST", "/sync", { token: ann.session, body });
  const tasks = Array.from({ length: 30 }, (_, at) =>
    change("sync_tasks", `t${at}`, {
      title: `Plan journey number ${at} to the north`,
      pages: [0, 1].map((tab) => ({
        id: `p${at}-${tab}`,
        url: `https://trains.example/timetable/${at}/${tab}`,
        title: `Timetable ${at}, part ${tab}`,
      })),
      notes: [{ id: `n${at}`, text: NOTE }],
    }),
  );
  await push(...tasks);
  const tabs = ["hotel", "ferry"].map((word) => ({ url: `https://${word}.example/`, title: word }));
  await server.call("POST", "/inbox/tabs", { token: ann.session, body: tabs });
  const cost = { calls: 0, tokens: 0 };
  const counted = <T>(text: string, value: T): T => {
    cost.calls += 1;
    cost.tokens += encode(text).length;
    return value;
  };
  const rest = async (method: string, path: string, body?: unknown) => {
    const { status, json, text } = await server.call(method, path, { token: key, body });
    expect(status).toBeLessThan(300);
    return counted(text, json);
  };
  const mcp = async (name: string, args: object = {}) => {
    const sent = { token: key, body: calling(name, args) };
    const { data, error, text } = resultOf(await server.call("POST", "!/mcp", sent));
    expect(error).toBeNull();
    return counted(text, data);
  };
  return { ann, push, rest, mcp, cost };
};

type World = Awaited<ReturnType<typeof someone>>;
type Job = {
  readonly rest: (world: World) => Promise<void>;
  readonly mcp: (world: World) => Promise<void>;
  /** How many calls it takes: over REST and over MCP. */
  readonly calls: readonly [rest: number, mcp: number];
  /** The most tokens that its replies over MCP may have. */
  readonly mostTokens?: number;
};

/** What the person does meanwhile: finishes one, throws one away, and moves one. */
const live = async ({ push }: World): Promise<void> => {
  server.clock.advance(1_000);
  const updated_at = formatInstant(server.clock.wall());
  await push(
    change("sync_projects", "f", { name: "North" }, { updated_at }),
    change("sync_tasks", "t1", { title: "t1", status: "done" }, { updated_at }),
    change("sync_tasks", "t2", {}, { updated_at, deleted_at: updated_at }),
    change("sync_tasks", "t3", { title: "t3", project_id: "f" }, { updated_at }),
  );
};

const states = (changes: readonly { readonly id: string; readonly state: string }[]) =>
  changes.map(({ id, state }) => `${id} ${state}`).toSorted();

const LIVED = ["f open", "t1 closed", "t2 gone", "t3 open"];

const TAB = { url: "https://seats.example/", title: "Seats" };

const JOBS: Readonly<Record<string, Job>> = {
  "find yesterday's task and add tabs": {
    calls: [2, 2],
    rest: async ({ rest }) => {
      const [{ id }] = (await rest("GET", "/tasks?q=journey+7&limit=5")).tasks;
      expect((await rest("POST", `/tasks/${id}/tabs`, [TAB])).tabs).toHaveLength(1);
    },
    mcp: async ({ mcp }) => {
      const [{ id }] = (await mcp("find_tasks", { q: "journey 7", limit: 5 })).tasks;
      expect((await mcp("file_tabs", { task_id: id, tabs: [TAB] })).tabs_filed).toBe(1);
    },
  },
  "empty the inbox into fitting tasks": {
    calls: [3, 3],
    rest: async ({ rest }) => {
      const { tabs } = await rest("GET", "/inbox");
      for (const [at, { id }] of tabs.entries())
        await rest("POST", `/tasks/t${at}/tabs/move`, { from: "inbox", tabs: [id] });
    },
    mcp: async ({ mcp }) => {
      const { tabs } = await mcp("read_task", { task_id: "inbox" });
      for (const [at, { id }] of tabs.entries())
        await mcp("move_tabs", { from: "inbox", task_id: `t${at}`, tabs: [id] });
    },
  },
  "write a note and correct it": {
    calls: [2, 2],
    rest: async ({ rest }) => {
      const { id } = await rest("POST", "/tasks/t1/notes", { text: "At 9:40" });
      expect((await rest("PATCH", `/tasks/t1/notes/${id}`, { text: "At 9:14" })).id).toBe(id);
    },
    mcp: async ({ mcp }) => {
      const { note_id } = await mcp("write_note", { task_id: "t1", text: "At 9:40" });
      await mcp("write_note", { task_id: "t1", text: "At 9:14", note_id });
    },
  },
  "close the finished": {
    calls: [1, 1],
    rest: async ({ rest }) => {
      const ids = ["t1", "t2", "t3", "t4", "t5"];
      await rest("PATCH", "/tasks", { ids, set: { status: "done" } });
    },
    mcp: async ({ mcp }) => {
      await mcp("change_tasks", { task_ids: ["t1", "t2", "t3", "t4", "t5"], status: "done" });
    },
  },
  "make a folder with two tasks": {
    calls: [3, 3],
    rest: async ({ rest }) => {
      const folder = (await rest("POST", "/projects", { name: "North" })).id as string;
      for (const title of ["Pack", "Book"]) await rest("POST", "/tasks", { title, folder });
    },
    mcp: async ({ mcp }) => {
      const folder = (await mcp("add_folder", { name: "North" })).folder.id as string;
      for (const title of ["Pack", "Book"]) await mcp("add_task", { title, folder });
    },
  },
  "follow what the person finishes, deletes and moves": {
    calls: [2, 2],
    rest: async (world) => {
      const { server_time } = await world.rest("GET", "/changes");
      await live(world);
      const { changes } = await world.rest("GET", `/changes?since=${server_time}`);
      expect(states(changes)).toEqual(LIVED);
    },
    mcp: async (world) => {
      const { server_time: since } = await world.mcp("find_changes");
      await live(world);
      const { changes } = await world.mcp("find_changes", { since });
      expect(states(changes)).toEqual(LIVED);
    },
  },
  "a digest of thirty tasks": {
    calls: [2, 2],
    mostTokens: 5_000,
    rest: async ({ rest }) => {
      const first = await rest("GET", "/tasks?include=tabs,notes");
      const cursor = encodeURIComponent(first.next_cursor as string);
      const second = await rest("GET", `/tasks?include=tabs,notes&cursor=${cursor}`);
      expect(first.tasks.length + second.tasks.length).toBe(31);
    },
    mcp: async ({ mcp }) => {
      const first = await mcp("find_tasks", { whole: true, limit: 20 });
      const asked = { whole: true, limit: 20, cursor: first.next_cursor };
      const second = await mcp("find_tasks", asked);
      expect(first.tasks.length + second.tasks.length).toBe(31);
      expect(first.tasks[1].notes[0].text).toBe(NOTE);
    },
  },
  "two agents on one queue": {
    calls: [4, 4],
    rest: async ({ rest }) => {
      const taken: unknown[] = [];
      for (const _agent of [1, 2]) {
        const { task } = await rest("POST", "/claims", { filter: { status: "todo" }, for: "30m" });
        taken.push(task.id);
        await rest("PATCH", `/tasks/${task.id}`, { status: "done" });
      }
      expect(new Set(taken).size).toBe(2);
    },
    mcp: async ({ mcp }) => {
      const taken: unknown[] = [];
      for (const _agent of [1, 2]) {
        const { task } = await mcp("claim_task", { status: "todo", for: "30m" });
        taken.push(task.id);
        await mcp("change_tasks", { task_ids: [task.id], status: "done" });
      }
      expect(new Set(taken).size).toBe(2);
    },
  },
};

describe.each(Object.entries(JOBS))("%s", (_name, job) => {
  test("over REST", async () => {
    const world = await someone();
    await job.rest(world);
    expect(world.cost.calls).toBe(job.calls[0]);
  });

  test("over MCP", async () => {
    const world = await someone();
    await job.mcp(world);
    expect(world.cost.calls).toBe(job.calls[1]);
    expect(world.cost.tokens).toBeLessThanOrEqual(job.mostTokens ?? Infinity);
  });
});
