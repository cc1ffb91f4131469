import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { ask, databaseFile, directoryForTest } from "../support/db/store.ts";
import { postForm } from "../support/extension.ts";
import { change, expectRefusal, SAYS } from "../support/replies.ts";
import { startServer } from "../support/server.ts";

/** Ann's server, whose writes wait for those of another process until that lets go. */
const heldUp = async () => {
  const directory = directoryForTest();
  const server = await startServer({ directory });
  const ann = await server.person();
  const token = await ann.key();
  const other = new Database(databaseFile(directory), { readwrite: true, create: false });
  other.run("BEGIN IMMEDIATE");
  const letGo = async (): Promise<void> => {
    // Long enough for a call to be let in and to meet the lock.
    await Bun.sleep(300);
    other.run("COMMIT");
    other.close();
  };
  return { directory, server, ann, token, other, letGo };
};

embeddedTest(
  "A key's write is refused if the key is revoked while it waits for another write",
  async () => {
    const { directory, server, token, other, letGo } = await heldUp();
    other.run("UPDATE api_key SET revoked_at = 1");
    const filed = server.call("POST", "/tasks", { token, body: { title: "too late" } });
    await letGo();
    expectRefusal(await filed, 401, SAYS.badCredential);
    expect(ask(directory, "SELECT id FROM record")).toEqual([]);
    await server.stop();
  },
);

embeddedTest(
  "A push is refused whole if its session ends while it waits for another write",
  async () => {
    const { directory, server, ann, other, letGo } = await heldUp();
    other.run("UPDATE session SET revoked_at = 1");
    const body = [change("sync_tasks", "t1", { title: "too late" })];
    const pushed = server.call("POST", "/sync", { token: ann.session, body });
    await letGo();
    expect((await pushed).status).toBe(401);
    expect(ask(directory, "SELECT id FROM record")).toEqual([]);
    await server.stop();
  },
);

embeddedTest("A token is said to be revoked once that is stored", async () => {
  const { server, ann, letGo } = await heldUp();
  const done: string[] = [];
  const revoked = postForm(server, "/oauth/revoke", { token: ann.session }).finally(() =>
    done.push("answered"),
  );
  await letGo().finally(() => done.push("stored"));
  expect((await revoked).status).toBe(200);
  expect(done).toEqual(["stored", "answered"]);
  await server.stop();
});
