import { describe, expect } from "bun:test";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { ask } from "../support/db/store.ts";
import { change, expectRefusal, titlesOf } from "../support/replies.ts";
import { makeCredentials, startServerProcess } from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { type Person, startServer, type TestServer } from "../support/server.ts";
import { MOUNT, testWith } from "../support/faults/needs.ts";
import { filesIn, mountStorage } from "../support/faults/storage.ts";

const FULL = "The server's disk is full. Nothing was changed. Free some space and try again.";

/** Too long to fit into the space that the files already occupy. */
const NOTE = "x".repeat(15_000);

/** Enough different words that an index needs more room for them. */
const WORDS = Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(" ");

const push = (server: TestServer, { session }: Person, id: string) =>
  server.call("POST", "/sync", {
    token: session,
    body: [change("sync_tasks", id, { title: id, notes: [{ id: `${id}-note`, text: NOTE }] })],
  });

const pulled = async (server: TestServer, { session }: Person): Promise<readonly string[]> => {
  const { status, json } = await server.call("GET", "/sync", { token: session });
  expect(status).toBe(200);
  return (json.changes.sync_tasks as { id: string }[]).map(({ id }) => id);
};

const warnings = (server: TestServer): readonly string[] =>
  server.logged.flatMap((line) => {
    const { level, message } = JSON.parse(line) as { level: string; message: string };
    return level === "info" ? [] : [`${level}: ${message}`];
  });

describe("a full disk", () => {
  testWith(
    MOUNT,
    "makes the server refuse writes and answer reads, until there is room again",
    async () => {
      const storage = mountStorage(12);
      const server = await startServer({ directory: storage.directory });
      const ann = await server.person();
      const key = await ann.key();
      expect((await push(server, ann, "before")).status).toBe(200);
      expect(warnings(server)).toEqual([
        "warn: the disk is nearly full: free some space before writes fail",
      ]);

      storage.fill();
      const filed = { title: "during", notes: [NOTE] };
      for (const token of [ann.session, key])
        expectRefusal(await server.call("POST", "/tasks", { token, body: filed }), 507, FULL);
      expectRefusal(await push(server, ann, "during"), 507, FULL);
      expectRefusal(
        await server.call("GET", "!/readyz"),
        503,
        "The database can be read right now, but not written.",
      );
      expect(warnings(server)).toContain(
        "error: the disk is full and nothing can be written: free some space",
      );
      // Past the lease, so that a pull wants to write too.
      server.clock.advance(MINUTE);
      expect(await pulled(server, ann)).toEqual(["before"]);
      for (const token of [ann.session, key])
        expect(titlesOf(await server.call("GET", "/tasks", { token }))).toEqual(["before"]);
      expect((await server.call("GET", "!/healthz")).status).toBe(200);

      storage.makeRoom();
      expect((await push(server, ann, "after")).status).toBe(200);
      expect((await server.call("POST", "/tasks", { token: key, body: filed })).status).toBe(201);
      expect((await server.call("GET", "!/readyz")).json).toEqual({ status: "ready" });
      expect(await pulled(server, ann)).toHaveLength(3);
      await server.stop();
      expect(ask(storage.directory, "PRAGMA quick_check")).toEqual([{ quick_check: "ok" }]);
      expect(ask(storage.directory, "SELECT title FROM record ORDER BY changed_at")).toEqual([
        { title: "before" },
        { title: "after" },
        { title: "during" },
      ]);
    },
  );

  testWith(MOUNT, "does not keep a search from finding what its index has read", async () => {
    const storage = mountStorage(12);
    const server = await startServer({ directory: storage.directory });
    const ann = await server.person();
    const find = () => server.call("GET", "/tasks?q=garden", { token: ann.session });
    const file = (title: string) =>
      server.call("POST", "/tasks", { token: ann.session, body: { title, notes: [WORDS] } });
    await file("garden before");
    expect(titlesOf(await find())).toEqual(["garden before"]);

    await file("garden after");
    storage.fill();
    const reply = await find();
    expect(reply.status).toBe(200);
    expect(titlesOf(reply)).toContain("garden before");
    // Unless the index has read it in the moment before.
    expect(reply.json.partial ?? titlesOf(reply).length === 2).toBe(true);

    storage.makeRoom();
    expect(titlesOf(await find())).toEqual(["garden after", "garden before"]);
    await server.stop();
  });

  testWith(MOUNT, "keeps a server from starting; it says why and changes nothing", async () => {
    const storage = mountStorage(12);
    await makeCredentials(storage.directory);
    const before = filesIn(storage.directory);
    storage.fill();
    const start = () =>
      run(DOCKET, ["serve", "--port", "0", "--data", storage.directory, "--log", "off"]);
    expect(await start()).toEqual({
      code: 1,
      out: "",
      err:
        `docket: The disk is full, so Docket cannot write in ${storage.directory}. ` +
        "Free some space there, and try again.\n",
    });
    expect(filesIn(storage.directory)).toEqual(before);
    storage.makeRoom();
    const server = await startServerProcess(storage.directory);
    expect(await server.stop("SIGTERM")).toBe(0);
  });
});
