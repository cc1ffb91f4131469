import { expect, test } from "bun:test";
import { startHome } from "../support/app/desk.ts";
import { V1 } from "../support/replies.ts";
import { send, testDirectory } from "../support/server.ts";

// A queue outlives its server: what was taken stays taken, and what was finished is given to nobody again.

const TASKS = 60;
const AGENTS = 8;

const count = (map: Map<string, number>, id: string): void =>
  void map.set(id, (map.get(id) ?? 0) + 1);

test("agents share a queue over a server that is killed three times: no task is done twice", async () => {
  const home = await startHome(testDirectory(), [
    "--rate-per-minute",
    "100000",
    "--rate-per-hour",
    "100000",
  ]);
  try {
    await home.addPerson("ann@example.org");
    const keyOf = (name: string) =>
      home.command("key", "create", "--name", name, "--scopes", "read,write");
    const keys = await Promise.all(["one", "two", "three", "four"].map(keyOf));
    const call = (token: string, method: string, path: string, body: unknown) =>
      send(method, `${home.url}${V1}${path}`, { token, body });
    for (let at = 0; at < TASKS; at += 1)
      await call(keys[0] ?? "", "POST", "/tasks", { title: `t${at}` });
    /** How often a task was given out, and how often its end was confirmed. */
    const given = new Map<string, number>();
    const done = new Map<string, number>();
    /** Calls until there is a reply: the server may be away. */
    const sure = async (token: string, path: string, body: unknown) => {
      for (;;) {
        const reply = await call(token, "PATCH", path, body).catch(() => null);
        if (reply !== null && reply.status < 500) return reply;
        await Bun.sleep(20);
      }
    };
    const work = async (token: string): Promise<void> => {
      for (;;) {
        const body = { filter: { status: "todo" }, for: "1h" };
        const reply = await call(token, "POST", "/claims", body).catch(() => null);
        if (reply === null || reply.status >= 500) {
          await Bun.sleep(20);
          continue;
        }
        if (reply.status !== 201) return;
        const id = reply.json.task.id as string;
        count(given, id);
        await Bun.sleep(15);
        const closed = await sure(token, `/tasks/${id}`, { status: "done" });
        expect(closed.status).toBe(200);
        count(done, id);
      }
    };
    const all = Promise.all(Array.from({ length: AGENTS }, (_, at) => work(keys[at % 4] ?? "")));
    for (let kills = 0; kills < 3; kills += 1) {
      await Bun.sleep(150);
      await home.stop("SIGKILL");
      await home.start();
    }
    await all;
    expect([...given.values()].filter((times) => times > 1)).toEqual([]);
    expect([...done.values()].filter((times) => times > 1)).toEqual([]);
    // Of a claim whose reply was lost with the server, nobody knows. It is still there, and a person can end it.
    const claims = JSON.parse(await home.command("claim", "list", "--json")) as { task: string }[];
    expect(done.size + claims.length).toBe(TASKS);
    for (const { task } of claims) await home.command("claim", "end", task);
    await Promise.all(keys.map(work));
    expect([done.size, [...done.values()].every((times) => times === 1)]).toEqual([TASKS, true]);
  } finally {
    await home.stop("SIGKILL");
  }
});
