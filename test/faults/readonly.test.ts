import { afterEach, describe, expect } from "bun:test";
import { until } from "../support/replies.ts";
import {
  makeCredentials,
  query,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { expectRefusal, titlesOf } from "../support/replies.ts";
import { send } from "../support/server.ts";
import { MOUNT, testWith } from "../support/faults/needs.ts";
import { filesIn, mountStorage } from "../support/faults/storage.ts";

const UNWRITABLE =
  "The server cannot write to its storage right now. Nothing was changed. Try again later.";

describe("read-only storage", () => {
  let server: ServerProcess | null = null;
  afterEach(async () => void (await server?.stop("SIGKILL")));

  testWith(
    MOUNT,
    "appears while the server runs: writes are refused, reads are answered, and no confirmed write is lost",
    async () => {
      const storage = mountStorage(12);
      const ann = await makeCredentials(storage.directory);
      server = await startServerProcess(storage.directory, { log: "json" });
      const api = (path: string) => `${server?.url()}${path}`;
      const file = (token: string, title: string) =>
        send("POST", api("/api/public/v1/tasks"), { token, body: { title } });
      expect((await file(ann.key, "before")).status).toBe(201);
      const running = server;
      const isOver = async (): Promise<boolean> => {
        storage.breakOff();
        try {
          for (const token of [ann.session, ann.key])
            expectRefusal(await file(token, "during"), 503, UNWRITABLE);
          for (const token of [ann.session, ann.key])
            expect(titlesOf(await send("GET", api("/api/public/v1/tasks"), { token }))).toEqual([
              "before",
            ]);
          const pull = await send("GET", api("/api/public/v1/sync"), { token: ann.session });
          expect([pull.status, pull.json.changes.sync_tasks.length]).toEqual([200, 1]);
          expectRefusal(
            await send("GET", api("/readyz")),
            503,
            "The database can be read right now, but not written.",
          );
          await until(() => running.said().includes("the storage failed: check the disk"));
          return true;
        } catch (error) {
          // The kernel may still take a write, and then fail to sync it: the server ends, as fsync.test.ts shows.
          const code = await Promise.race([running.ended(), Bun.sleep(2_000)]);
          if (code !== 1 || !running.said().includes("the disk did not confirm a write"))
            throw error;
          storage.repair();
          await running.start();
          return false;
        }
      };
      while (!(await isOver()));
      expect(await server.stop("SIGTERM")).toBe(0);
      storage.repair();
      await server.start();
      expect((await file(ann.key, "after")).status).toBe(201);
      expect(await server.stop("SIGTERM")).toBe(0);
      expect(query(storage.directory, "PRAGMA quick_check")).toEqual([{ quick_check: "ok" }]);
      expect(query(storage.directory, "SELECT title FROM record ORDER BY changed_at")).toEqual([
        { title: "before" },
        { title: "after" },
      ]);
    },
  );

  testWith(MOUNT, "keeps a server from starting; it says why and changes nothing", async () => {
    const storage = mountStorage(12);
    await makeCredentials(storage.directory);
    const before = filesIn(storage.directory);
    storage.remount("ro");
    const words = ["serve", "--port", "0", "--data", storage.directory];
    const refusal =
      `docket: The directory ${storage.directory} is not writable (EROFS). Its disk is read-only, or it belongs to ` +
      "another user. Nothing was changed. Make it writable, run the command as that user, or choose another directory.\n";
    expect(await run(DOCKET, words)).toEqual({ code: 1, out: "", err: refusal });
    expect(filesIn(storage.directory)).toEqual(before);
    storage.remount("rw");
    server = await startServerProcess(storage.directory);
    expect(await server.stop("SIGTERM")).toBe(0);
  });
});
