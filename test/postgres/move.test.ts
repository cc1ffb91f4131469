import { expect, test } from "bun:test";
import { onPostgres, usePostgres } from "../support/postgres.ts";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { send, testDirectory } from "../support/server.ts";

const docket = (words: readonly string[], database?: string) =>
  run(DOCKET, words, {
    input: "correct horse battery",
    env: database === undefined ? {} : { DOCKET_DATABASE: database },
  });

const data = (directory: string) => ["--data", directory];

onPostgres("Moving the data", () => {
  const postgres = usePostgres();

  test("to PostgreSQL and back changes nothing that a device or a key sees, and new ids go on", async () => {
    const [first, last, unused] = [testDirectory(), testDirectory(), testDirectory()];
    await docket(["account", "add", "ann@example.org", "--password-stdin", ...data(first)]);
    const key = (
      await docket(["key", "create", "--name", "bot", "--scopes", "read,write", ...data(first)])
    ).out.trim();
    const session = (await docket(["session", "create", ...data(first)])).out.trim();
    const database = await postgres.database("moved");

    const useOn = async (directory: string, on: string | undefined, title: string) => {
      const env = on === undefined ? {} : { DOCKET_DATABASE: on };
      const server = await serve(DOCKET, [...data(directory), "--log", "off"], { env });
      const ask = (method: string, path: string, token: string, body?: unknown) =>
        send(method, `${server.url}/api/public/v1${path}`, {
          token,
          ...(body === undefined ? {} : { body }),
        });
      const before = await ask("GET", "/sync", session);
      const filed = await ask("POST", "/tasks", key, {
        title,
        tabs: [{ url: "https://example.org/ü" }],
        notes: [{ text: `a note on ${title}` }],
      });
      expect(filed.status).toBe(201);
      const changed = await ask("PATCH", `/tasks/${filed.json.id}`, key, {
        title: `${title}, again`,
      });
      expect(changed.status).toBe(200);
      const after = await ask("GET", "/sync", session);
      await server.stop();
      return { before: before.json, after: after.json };
    };

    const one = await useOn(first, undefined, "in a file");
    const there = await docket(["move", "--to", database, ...data(first)]);
    expect([there.code, there.err]).toEqual([0, expect.stringContaining("record: 1 rows")]);
    const again = await docket(["move", "--to", database, ...data(first)]);
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining("The target has data already"),
    ]);

    const two = await useOn(unused, database, "in PostgreSQL");
    expect([two.before.epoch, two.before.changes]).toEqual([one.after.epoch, one.after.changes]);
    expect(two.before.server_time >= one.after.server_time).toBe(true);
    const back = await docket(["move", "--to", last, ...data(unused)], database);
    expect([back.code, back.err]).toEqual([0, expect.stringContaining("record: 2 rows")]);
    const three = await useOn(last, undefined, "in a file again");
    expect([three.before.epoch, three.before.changes]).toEqual([
      two.after.epoch,
      two.after.changes,
    ]);
    expect(three.after.changes.sync_tasks).toHaveLength(3);
  });

  test("is refused while a server works on them, and a restore from elsewhere gives a new epoch", async () => {
    const [directory, other] = [testDirectory(), testDirectory()];
    const database = await postgres.database("busy");
    const server = await serve(DOCKET, ["--data", directory, "--log", "off"], {
      env: { DOCKET_DATABASE: database },
    });
    for (const words of [["move", "--to", testDirectory()], ["restored"]]) {
      const refused = await docket([...words, "--data", other], database);
      expect([refused.code, refused.err]).toEqual([
        1,
        expect.stringContaining("Stop all of them first."),
      ]);
    }
    await server.stop();
    const epoch = () => postgres.ask(database, "select epoch from server");
    const before = await epoch();
    expect((await docket(["restored", "--data", other], database)).code).toBe(0);
    expect(await epoch()).not.toBe(before);
  });
});
