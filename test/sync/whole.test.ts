import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { join } from "node:path";
import { embeddedTest } from "../support/engine.ts";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

const server = await sharedServer();

/** Makes the database itself refuse one record, as a damaged page would. */
const breakRecord = (id: string): Disposable => {
  const database = new Database(join(server.directory, "docket.db"));
  database.run("PRAGMA busy_timeout = 5000");
  database.run(`CREATE TRIGGER broken BEFORE INSERT ON record WHEN new.id = '${id}'
    BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  return {
    [Symbol.dispose]: () => {
      database.run("DROP TRIGGER broken");
      database.close();
    },
  };
};

embeddedTest(
  "A push whose last of 500 records cannot be stored is not applied at all",
  async () => {
    const ann = await newcomer(server);
    const token = ann.session;
    const records = Array.from({ length: 500 }, (_, n) => change("sync_tasks", `t${n}`, { n }));
    const push = () => server.call("POST", "/sync", { token, body: records });
    const pulled = async () =>
      (await server.call("GET", "/sync", { token })).json.changes.sync_tasks as unknown[];
    {
      using _broken = breakRecord("t499");
      expectRefusal(await push(), 500, "Internal error.");
      expect(await pulled()).toEqual([]);
    }
    expect((await push()).json).toEqual({ applied: 500, rejected: [], merged: [], invalid: [] });
    expect(await pulled()).toHaveLength(500);
  },
);
