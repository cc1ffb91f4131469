import { afterAll, beforeAll, expect, test } from "bun:test";
import { onPostgres, usePostgres } from "../support/postgres.ts";
import { until } from "../support/replies.ts";
import { commandOn, type OneOfSeveral, readiness, startOn } from "../support/several.ts";

onPostgres("Three servers on one database", () => {
  const postgres = usePostgres();
  let database: string;
  let token: string;
  const servers: OneOfSeveral[] = [];

  const start = async (at: number): Promise<void> => {
    const unlimited = { DOCKET_RATE_PER_MINUTE: "100000", DOCKET_RATE_PER_HOUR: "100000" };
    servers[at] = await startOn(database, unlimited);
  };

  beforeAll(async () => {
    database = await postgres.database("docket");
    const docket = commandOn(database);
    await docket("account", "add", "ann@example.org", "--password-stdin");
    token = await docket("key", "create", "--name", "bot", "--scopes", "read,write");
    for (const at of [0, 1, 2]) await start(at);
  });
  afterAll(() => {
    for (const { child } of servers) child.kill("SIGKILL");
  });

  /** Returns the index of the one that works. Fails after 30 s, in which a group is promised to be back. */
  const working = async (): Promise<number> => {
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      const ready = await Promise.all(servers.map(readiness));
      if (ready.includes(200)) return ready.indexOf(200);
      await Bun.sleep(50);
    }
    throw new Error("No server works.");
  };

  const call = async (
    { url }: OneOfSeveral,
    path: string,
    body?: object,
  ): Promise<Response | null> =>
    fetch(`${url}/api/public/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null);

  /** Makes tasks, and adds the titles of those that were answered to `answered`. */
  const fileUntil = async (
    name: string,
    isOver: () => boolean,
    answered: string[],
  ): Promise<void> => {
    for (let made = 0; !isOver(); made += 1) {
      const title = `${name} ${made}`;
      const server = servers[await working()];
      const reply = server && (await call(server, "/tasks", { title }));
      if (reply?.status === 201) answered.push(title);
    }
  };

  const titlesThere = async (): Promise<ReadonlySet<string>> =>
    new Set((await postgres.ask(database, "select title from record")).split("\n"));

  test("one works and the others say that they stand by, and one that stops hands over", async () => {
    const first = await working();
    for (const [at, server] of servers.entries()) {
      const ready = await fetch(`${server.url}/readyz`).catch(() => null);
      if (at === first) continue;
      // It may not listen yet.
      if (ready === null) continue;
      expect([ready.status, ready.headers.get("retry-after"), await ready.json()]).toEqual([
        503,
        "1",
        { error: "Another server works on this database, and this one stands by. Try again soon." },
      ]);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    }
    servers[first]?.child.kill("SIGTERM");
    expect(await servers[first]?.child.exited).toBe(0);
    expect(await working()).not.toBe(first);
    await start(first);
  });

  test("nothing that was answered is lost when the one that works is killed, again and again", async () => {
    let isOver = false;
    const answered: string[] = [];
    const writers = ["a", "b", "c"].map((name) => fileUntil(name, () => isOver, answered));
    for (let killed = 0; killed < 5; killed += 1) {
      const before = answered.length;
      await until(() => answered.length > before + 10);
      const at = await working();
      servers[at]?.child.kill("SIGKILL");
      await servers[at]?.child.exited;
      await start(at);
    }
    isOver = true;
    await Promise.all(writers);
    const there = await titlesThere();
    expect(answered.filter((title) => !there.has(title))).toEqual([]);
  });

  test("one that hangs is replaced, and writes nothing once it goes on", async () => {
    const at = await working();
    const hung = servers[at];
    hung?.child.kill("SIGSTOP");
    // It has taken this call in, and does it when it goes on, if nothing keeps it from that.
    const late = hung && call(hung, "/tasks", { title: "late" });
    const next = await working();
    expect(next).not.toBe(at);
    hung?.child.kill("SIGCONT");
    const reply = await late;
    expect(reply?.status ?? 503).toBe(503);
    expect(await titlesThere()).not.toContain("late");
    const server = servers[next];
    expect(server && (await call(server, "/tasks", { title: "on time" }))?.status).toBe(201);
  });

  test("they are back when PostgreSQL was killed and started again, with all that was answered", async () => {
    let isOver = false;
    const answered: string[] = [];
    const writing = fileUntil("p", () => isOver, answered);
    await Bun.sleep(500);
    await postgres.kill();
    await Bun.sleep(1_000);
    await postgres.start();
    await working();
    await Bun.sleep(500);
    isOver = true;
    // Those that stood by still do.
    expect(servers.map(({ child }) => child.exitCode)).toEqual([null, null, null]);
    await writing;
    const there = await titlesThere();
    expect(answered.filter((title) => !there.has(title))).toEqual([]);
  });
});
