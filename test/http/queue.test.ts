import { expect, test } from "bun:test";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { change, newcomer, sharedServer } from "../support/replies.ts";
import { dice, seed, times } from "../support/random.ts";

// Many agents share a queue. Each task is done once, and what an agent that died had taken comes back.

const server = await sharedServer({ limits: { perMinute: 100_000, perHour: 100_000 } });
const { call, clock } = server;

type Agent = {
  readonly token: string;
  /** How many tasks it finishes before it dies with the next one. */
  life: number;
};

/** One queue, worked on until nothing is left. Returns who finished which task. */
const work = async (tasks: number, agents: number, run: number) => {
  const roll = dice(seed + run);
  const ann = await newcomer(server);
  const keys = await Promise.all(
    // Some agents share a key.
    Array.from({ length: Math.ceil(agents / 2) }, (_, at) => ann.key(["read", "write"], `k${at}`)),
  );
  const ids = Array.from({ length: tasks }, (_, at) => `t${at}`);
  for (let at = 0; at < tasks; at += 500)
    await call("POST", "/sync", {
      token: ann.session,
      body: ids.slice(at, at + 500).map((id) => change("sync_tasks", id, { title: id })),
    });
  const done = new Map<string, number>();
  const lost: string[] = [];
  const turn = async (agent: Agent): Promise<boolean> => {
    const body = { filter: { status: "todo" }, for: "1m" };
    const { json, status } = await call("POST", "/claims", { token: agent.token, body });
    if (json.claim === null || status === 409) return false;
    const id = json.task.id as string;
    agent.life -= 1;
    if (agent.life < 0) {
      lost.push(id);
      return false;
    }
    const closed = await call("PATCH", `/tasks/${id}`, {
      token: agent.token,
      body: { status: "done" },
    });
    expect(closed.status).toBe(200);
    done.set(id, (done.get(id) ?? 0) + 1);
    return true;
  };
  const living = async (agent: Agent): Promise<void> => {
    while (await turn(agent));
  };
  // Those that die take a task with them.
  const first = Array.from({ length: agents }, (_, at) => ({
    token: keys[at % keys.length] ?? "",
    life: roll(3) === 0 ? roll(4) : Number.POSITIVE_INFINITY,
  }));
  await Promise.all(first.map(living));
  const early = done.size;
  clock.advance(MINUTE);
  const second = keys.map((token) => ({ token, life: Number.POSITIVE_INFINITY }));
  await Promise.all(second.map(living));
  return { ids, done, lost, early };
};

test("50 agents take 500 tasks: each is done once, and a dead one's comes back with its time", async () => {
  const { ids, done, lost, early } = await work(500, 50, 0);
  expect([...done.keys()].toSorted()).toEqual(ids.toSorted());
  expect([...done.values()].filter((times_) => times_ !== 1)).toEqual([]);
  expect([lost.length > 0, early]).toEqual([true, 500 - lost.length]);
});

test("The same in many small queues, each of another seed", async () => {
  for (let run = 1; run <= times(60); run += 1) {
    const { ids, done } = await work(12, 6, run);
    expect([run, [...done.keys()].toSorted()]).toEqual([run, ids.toSorted()]);
    expect([...done.values()].every((count) => count === 1)).toBe(true);
  }
}, 600_000);
