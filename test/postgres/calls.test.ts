import { afterAll, beforeAll, expect, onTestFinished, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { pruneStoredReplies } from "../../src/db/calls/idempotency.ts";
import { openStore } from "../../src/db/open.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { freshServer } from "../support/browser/person.ts";
import { onPostgres, usePostgres } from "../support/postgres.ts";
import type { Running } from "../support/program.ts";
import { until, V1 } from "../support/replies.ts";
import { type Answer, NOON, send, testDirectory } from "../support/server.ts";
import { commandOn } from "../support/several.ts";

/** Stores replies to requests that are numbered so. `at` is when, in SQL. */
const storing = (from: number, to: number, at: string): string =>
  `insert into kept_reply (credential_id, method, path, idempotency_key, body_hash, at, status, body)
   select 'k', 'POST', '/tasks', n::text, '', ${at}, 201, '' from generate_series(${from}, ${to}) as n`;

type Pulled = {
  readonly server_time: string;
  readonly changes: { readonly sync_tasks: readonly unknown[] };
};

// What a call promises once it is answered, where the next server has to keep it.
onPostgres("On a database of several servers", () => {
  const postgres = usePostgres();
  let database = "";
  let key = "";
  let session = "";
  let docket: ReturnType<typeof commandOn>;
  let server: Running;

  const machine = testDirectory();
  /** Starts a server, on a machine of its own if none is named. It has then written all that it writes by itself. */
  const start = async (data = testDirectory()): Promise<void> => {
    ({ server } = await freshServer(["--database", database, "--log", "off"], data));
  };
  beforeAll(async () => {
    database = await postgres.database("docket");
    docket = commandOn(database);
    await docket("account", "add", "ann@example.org", "--password-stdin");
    key = await docket("key", "create", "--name", "bot", "--scopes", "read,write");
    session = await docket("session", "create", "--name", "laptop");
    await start(machine);
  });

  afterAll(() => server.stop("SIGKILL"));

  const read = (path: string): Promise<Answer> =>
    send("GET", server.url + V1 + path, { token: key });
  const pull = async (query = ""): Promise<Pulled> =>
    (await send("GET", `${server.url}${V1}/sync?${query}`, { token: session })).json;
  /** What the session's device is stored to have confirmed, in ms. */
  const known = async (): Promise<number> =>
    Number(await postgres.ask(database, "select ack from session"));
  /** How many calls the activity list has. */
  const listed = async (): Promise<number> =>
    Number(await postgres.ask(database, "select count(*) from activity"));
  const newTask = (title: string, headers = {}): Promise<Answer> =>
    send("POST", `${server.url}${V1}/tasks`, { token: key, body: { title }, headers });

  /** Keeps the server from writing, until the function that is returned is called. */
  const hold = async (): Promise<() => Promise<void>> => {
    const other = new Client(database);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("begin");
    await other.query("select holder from docket for update");
    return async () => void (await other.query("rollback"));
  };
  const isHeld = async (): Promise<boolean> =>
    (await postgres.ask(
      database,
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )) !== "";

  /** Calls the server while it cannot write. Returns whether it has answered half a second later, and what it answers then. */
  const whileHeld = async <T>(
    calls: () => Promise<T>,
  ): Promise<{ readonly answered: boolean; readonly answers: T }> => {
    const free = await hold();
    let answered = false;
    const all = calls().finally(() => (answered = true));
    await until(async () => answered || (await isHeld()));
    await Bun.sleep(500);
    const early = answered;
    await free();
    return { answered: early, answers: await all };
  };

  test("a key's read is answered once its activity is stored", async () => {
    const { answered, answers } = await whileHeld(() => read("/tasks?limit=7"));
    expect([answered, answers.status]).toEqual([false, 200]);
    await server.stop("SIGKILL");
    expect(await docket("activity")).toContain("/tasks");
    await start();
  });

  test("reads go on while the database takes no writes, and their activity is stored later", async () => {
    const before = await listed();
    const free = await hold();
    // A write is given up after ten seconds.
    expect((await read("/tasks?limit=8")).status).toBe(200);
    const began = performance.now();
    const replies = await Promise.all(Array.from({ length: 5 }, () => read("/tasks?limit=9")));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(performance.now() - began).toBeLessThan(8_000);
    await free();
    await until(async () => (await listed()) === before + 6);
  });

  test("a device that says that it knows less is answered once that is stored", async () => {
    const first = await pull();
    await newTask("one");
    const second = await pull(`since=${first.server_time}`);
    // A pull that delivers something stores what the device has confirmed. Nobody waits for it.
    await newTask("two");
    await pull(`since=${second.server_time}`);
    await until(async () => (await known()) === Date.parse(second.server_time));
    const { answered } = await whileHeld(() => pull(`since=${first.server_time}`));
    expect(answered).toBe(false);
    await server.stop("SIGKILL");
    expect(await known()).toBe(Date.parse(first.server_time));
    await start();
  });

  test("a request with an Idempotency-Key is carried out once, and the next server knows its reply", async () => {
    const once = { "idempotency-key": '"8e03978e-40d5-43e8-bc93"' };
    const { answers } = await whileHeld(() =>
      Promise.all([newTask("once", once), newTask("once", once)]),
    );
    // The second request is refused, because the first is in progress. If it comes late, it gets the first one's reply.
    const made = answers.filter(({ status }) => status !== 409).map(({ text }) => text);
    await server.stop("SIGKILL");
    await start();
    const again = await newTask("once", once);
    expect(again.status).toBe(201);
    expect([...new Set(made)]).toEqual([again.text]);
    const count = "select count(*) from record where title = 'once'";
    expect(await postgres.ask(database, count)).toBe("1");
  });

  test("a waiting pull hears of what a command does on another machine", async () => {
    const { server_time } = await pull();
    const began = performance.now();
    const news = pull(`since=${server_time}&wait=25`);
    // It may take a moment until it waits.
    await Bun.sleep(1_000);
    const file = join(testDirectory(), "links.html");
    writeFileSync(file, '<DL><DT><A HREF="https://example.org/">Example</A></DL>');
    await docket("import", file);
    expect((await news).changes.sync_tasks).not.toEqual([]);
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test("the hourly work removes what is old, and a thousand rows at a time", async () => {
    const other = await postgres.database("hourly");
    const opening = { directory: testDirectory(), database: other, now: NOON } as const;
    const store = await openStore({ ...opening, role: "server" });
    await postgres.ask(other, storing(1, 2_500, `${NOON - 10 * DAY}`));
    await postgres.ask(other, storing(3_001, 3_005, `${NOON} - (n - 3001) * ${DAY}`));
    await postgres.ask(
      other,
      `create table step (rows bigint);
       create function count_step() returns trigger language plpgsql as
         $$ begin insert into step select count(*) from gone; return null; end $$;
       create trigger counted after delete on kept_reply referencing old table as gone
         for each statement execute function count_step()`,
    );
    await pruneStoredReplies(store, NOON);
    expect(await postgres.ask(other, "select rows from step")).toBe("1000\n1000\n501");
    const left = "select idempotency_key from kept_reply order by at desc";
    expect(await postgres.ask(other, left)).toBe("3001\n3002\n3003\n3004");
    await store.close();
  });
});
