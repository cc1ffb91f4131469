import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { createKey } from "../../src/db/people/api-keys.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { databaseFile } from "../support/db/store.ts";
import { change, sharedServer } from "../support/replies.ts";
import { POSTS, storedIn, typeOf } from "../support/web/table.ts";
import { PASSWORD, someoneSignedIn } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

// A call can be let in just before its account is deleted, and come to write just after. It must write nothing then: a
// row that nobody owns would never be deleted.

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });

/** Someone with a browser, a device and a key. */
const someone = async () => {
  const ann = await someoneSignedIn(server);
  const { id } = ann.account;
  const now = server.clock.wall();
  const { secret: session } = await createSession(server.store, id, "laptop", cryptoRandom, now);
  const wish = {
    name: "bot",
    scopes: ["read", "write"],
    restriction: null,
    expiresAt: null,
  } as const;
  const { secret: key } = await createKey(server.store, id, wish, cryptoRandom, now);
  const body = [
    change("sync_tasks", "t", { title: "Zebra", pages: [{ url: "https://a.example/" }] }),
  ];
  await server.call("POST", "/sync", { token: session, body });
  return { ann, id, session, key };
};

type Someone = Awaited<ReturnType<typeof someone>>;

const tables = (database: Database) =>
  database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);

/** Starts a call while another process holds the database, which deletes the account before it lets go. */
const callWhileDeleted = async ({ id }: Someone, call: () => Promise<number>): Promise<number> => {
  const other = new Database(databaseFile(server.directory), { readwrite: true, create: false });
  other.run("PRAGMA busy_timeout = 5000");
  other.run("PRAGMA foreign_keys = OFF");
  other.run("BEGIN IMMEDIATE");
  const answered = call();
  await Bun.sleep(150);
  for (const name of tables(other)) {
    const columns = other
      .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${name}')`)
      .all();
    if (columns.some((column) => column.name === "account_id"))
      other.run(`DELETE FROM "${name}" WHERE account_id = ${id}`);
  }
  other.run(`DELETE FROM account WHERE id = ${id}`);
  other.run("COMMIT");
  other.close();
  return answered;
};

const KEY_CALLS: readonly (readonly [string, string, number, unknown])[] = [
  ["POST", "/tasks", 401, { title: "late" }],
  ["PATCH", "/tasks/t", 401, { title: "late" }],
  ["POST", "/tasks/t/tabs", 401, [{ url: "https://late.example/" }]],
  ["POST", "/tasks/t/notes", 401, { text: "late" }],
  ["POST", "/inbox/tabs", 401, [{ url: "https://late.example/" }]],
  ["POST", "/projects", 401, { name: "late" }],
  ["POST", "/tasks", 422, { title: 1 }],
  ["GET", "/tasks", 200, undefined],
  ["GET", "/tasks?q=zebra", 200, undefined],
  ["GET", "/tasks/none", 404, undefined],
  ["DELETE", "/tasks/t", 405, undefined],
];

/** Everything that is stored about people. */
const rows = () => {
  const { failure: _failure, server: _server, ...stored } = storedIn(server);
  return stored;
};

embeddedTest.each(KEY_CALLS)(
  "A key's %s %s leaves nothing",
  async (method, path, outcome, body) => {
    const before = rows();
    const ann = await someone();
    const headers = { "idempotency-key": "late" };
    const status = await callWhileDeleted(
      ann,
      async () =>
        (await server.call(method, path, { token: ann.key, body, ...(body ? { headers } : {}) }))
          .status,
    );
    expect([status, rows()]).toEqual([outcome, before]);
  },
);

embeddedTest("A push leaves nothing", async () => {
  const before = rows();
  const ann = await someone();
  const body = [change("sync_tasks", "late", { title: "late" })];
  const status = await callWhileDeleted(
    ann,
    async () => (await server.call("POST", "/sync", { token: ann.session, body })).status,
  );
  expect([status, rows()]).toEqual([401, before]);
});

embeddedTest.each(POSTS.filter(([, { access }]) => access === "signed in"))(
  "%s leaves nothing",
  async (_name, place) => {
    const before = rows();
    const ann = await someone();
    const form = {
      email: `late.${ann.id}@example.org`,
      name: "late",
      confirmation: ann.ann.account.email,
      current: PASSWORD,
      password: "a much better sentence",
      scopes: "read",
      expires: "90",
      note: "late",
      purpose: "folder",
    };
    const send = () =>
      typeOf(place) === "application/json"
        ? ann.ann.send(place.address, {})
        : ann.ann.post(place.address, form);
    const status = await callWhileDeleted(ann, async () => (await send()).status);
    expect([status < 500, status, rows()]).toEqual([true, status, before]);
  },
);
