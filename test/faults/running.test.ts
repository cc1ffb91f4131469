import { describe, expect, test } from "bun:test";
import { readFileSync, realpathSync } from "node:fs";
import { change, expectRefusal } from "../support/replies.ts";
import { startServer } from "../support/server.ts";
import { databaseFile, directoryForTest } from "../db/_store.ts";
import { overwrite, overwriteRest } from "./_damage.ts";

const DAMAGED =
  "The server's data are damaged: its owner must look at its log and restore a backup.";

const LINE =
  "the data are damaged: stop the server and put a backup in their place, docket restore FILE";

/** A server that was just started on 400 tasks, and has looked at nothing but the credential. */
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

describe("damage that a running server meets", () => {
  test("it says so, and shows nothing that is wrong", async () => {
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

  test("a pull that has begun is broken off, so that nobody takes it for the whole", async () => {
    const { server, token, file } = await started();
    // The last in the order in which a pull gives what was pushed at once.
    overwrite(file, Math.floor(readFileSync(file).indexOf('"title":"t99"') / 4_096));
    await expect(server.call("GET", "/sync", { token })).rejects.toThrow("closed unexpectedly");
    expect(server.logged.join("\n")).toContain(LINE);
    await server.stop();
  });
});
