import { describe, expect, test } from "bun:test";
import { readFileSync, realpathSync } from "node:fs";
import { change, expectRefusal } from "../support/replies.ts";
import { startServer } from "../support/server.ts";
import { databaseFile, directoryForTest } from "../support/db/store.ts";
import { overwrite, overwriteRest } from "../support/faults/damage.ts";

const DAMAGED =
  "The server's database is damaged. The server's owner must check its log and restore a backup.";

const LINE =
  "the data are damaged: stop the server, then restore a backup with `docket restore FILE`";

/** A server that has just started on 400 tasks and has read only the credential. */
const started = async () => {
  const directory = realpathSync(directoryForTest());
  const first = await startServer({ directory });
  const { session: token } = await first.person();
  const body = Array.from({ length: 400 }, (_, index) =>
    change("sync_tasks", `t${index}`, { title: `t${index}`, filler: "x".repeat(3_000) }),
  );
  expect((await first.call("POST", "/sync", { token, body })).json.applied).toBe(400);
  await first.stop();
  const server = await startServer({ directory });
  expect((await server.call("GET", "/me", { token })).status).toBe(200);
  return { server, token, file: databaseFile(directory) };
};

describe("damage found by a running server", () => {
  test("is reported, and no wrong data are shown", async () => {
    const { server, token, file } = await started();
    overwriteRest(file);
    for (const path of ["/tasks", "/sync", "/projects"])
      expectRefusal(await server.call("GET", path, { token }), 503, DAMAGED);
    const body = { title: "new" };
    expectRefusal(await server.call("POST", "/tasks", { token, body }), 503, DAMAGED);
    expect(server.logged.join("\n")).toContain(LINE);
    expect((await server.call("GET", "!/healthz")).status).toBe(200);
    await server.stop();
  });

  test("breaks off a pull that has begun, so that no device takes it for complete", async () => {
    const { server, token, file } = await started();
    // The last task in the order in which a pull lists records that were pushed together.
    overwrite(file, Math.floor(readFileSync(file).indexOf('"title":"t99"') / 4_096));
    await expect(server.call("GET", "/sync", { token })).rejects.toThrow("closed unexpectedly");
    expect(server.logged.join("\n")).toContain(LINE);
    await server.stop();
  });
});
