import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { connect } from "node:net";
import { databaseFile } from "../support/db/store.ts";
import { agent } from "../support/mcp/agent.ts";
import { change, expectRefusal, V1 } from "../support/replies.ts";
import { head } from "../support/socket.ts";
import { annsServer } from "../support/binary/attack.ts";

// Attacks by a key or a session, as they once worked, against the executable.

const MB = 1024 * 1024;
const ann = await annsServer();
const small = await annsServer("--account-quota", "2");

const SECRET = {
  title: "Surprise for bob",
  status: "secretly",
  project_id: "hidden",
  tags: ["secret-tag"],
};

const pushed = await ann.call("POST", "/sync", {
  token: ann.session,
  body: [
    change("sync_projects", "hidden", { name: "Secret folder" }),
    change("sync_tasks", "t1", SECRET),
  ],
});
expect(pushed.json.applied).toBe(2);

test("a key that may only write learns nothing from a dry run of PATCH {}", async () => {
  const token = await ann.key("write");
  const reply = await ann.call("PATCH", "/tasks/t1?dry_run=true", { token, body: {} });
  expect([reply.status, reply.json]).toEqual([200, { id: "t1", dry_run: true }]);
  expect(reply.headers.get("etag")).toBeNull();
});

test("a key that may only write learns nothing from write_note over MCP", async () => {
  const asked = { task_id: "t1", text: "n" };
  const { task } = await agent(ann, await ann.key("write")).does("write_note", asked);
  expect(task).toEqual({ id: "t1" });
  const reader = await agent(ann, await ann.key("read,write")).does("write_note", asked);
  expect(reader.task.title).toBe(SECRET.title);
});

/** Text that cannot be compressed. */
const noise = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64");

/** Pulls with a new session over a slow connection, and does something after the first bytes. */
const pullWhile = async (act: (id: string) => Promise<unknown>) => {
  const name = crypto.randomUUID();
  const token = (await ann.docket("session", "create", "--name", name)).out.trim();
  const listed: readonly { readonly id: string; readonly name: string }[] = JSON.parse(
    (await ann.docket("session", "list", "--json")).out,
  );
  const id = listed.find((one) => one.name === name)?.id ?? "";
  const { hostname, port } = new URL(ann.url);
  const socket = connect(Number(port), hostname);
  socket.write(head(`GET ${V1}/sync`, "Host: localhost", `Authorization: Bearer ${token}`));
  const first = await new Promise<Buffer>((resolve) => {
    socket.once("data", (data: Buffer) => {
      socket.pause();
      resolve(data);
    });
  });
  expect(String(first)).toStartWith("HTTP/1.1 200 OK");
  await act(id);
  let [after, tail] = [0, ""];
  socket.on("data", (data: Buffer) => {
    after += data.length;
    tail = (tail + data.subarray(-5).toString("latin1")).slice(-5);
    if (tail === "0\r\n\r\n") socket.end();
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  socket.resume();
  await closed;
  return { after, whole: tail === "0\r\n\r\n" };
};

test("a pull that runs is cut off when its session is revoked", async () => {
  for (const part of [0, 1, 2, 3]) {
    const body = Array.from({ length: 15 }, (_, n) =>
      change("sync_tasks", `fat${part}-${n}`, { fill: noise(0.5 * MB) }),
    );
    const { json } = await ann.call("POST", "/sync", { token: ann.session, body });
    expect(json.applied).toBe(15);
  }
  const undisturbed = await pullWhile(() => Bun.sleep(200));
  expect([undisturbed.whole, undisturbed.after > 39 * MB]).toEqual([true, true]);
  const { whole, after } = await pullWhile(async (id) => {
    expect((await ann.docket("session", "revoke", id)).code).toBe(0);
  });
  // What was on its way already arrives: a few chunks, and the buffers of the connection.
  expect([whole, after < 15 * MB]).toEqual([false, true]);
});

const fat = (id: string) => change("sync_tasks", id, { fill: "x".repeat(900 * 1024) });

test("an account's quota is kept, whichever way a write comes in", async () => {
  const push = (...body: unknown[]) => small.call("POST", "/sync", { token: small.session, body });
  expect((await push(fat("a"), fat("b"))).json.applied).toBe(2);
  const says =
    "This account may take up 2 MiB on this server, and this would be more. Nothing was changed. " +
    "Remove tabs, notes or tasks that are no longer needed, or ask the person who runs the server for more.";
  expectRefusal(await push(fat("c")), 507, says);
  const token = await small.key("read,write");
  const notes = Array.from({ length: 20 }, () => "n".repeat(19_000));
  const body = { title: "t", notes };
  expectRefusal(await small.call("POST", "/tasks", { token, body }), 507, says);
  expect((await agent(small, token).use("add_task", body)).error).toBe(says);
  expect((await small.call("GET", "/tasks", { token })).json.tasks).toHaveLength(2);
});

test("refused calls are all counted, and do not add rows without end", async () => {
  const token = await small.key("read");
  for (let n = 0; n < 60; n++) await small.call("GET", "/me", { token });
  const paths = ["me", "tasks", "tasks/a", "tasks/a/tabs", "tasks/a/notes", "inbox/tabs"];
  const sent: number[] = [];
  for (const method of ["PUT", "DELETE", "PATCH", "POST", "GET"])
    for (const path of [...paths, "projects", "sync", "nothing"])
      for (const headers of [{}, { host: "evil.example" }])
        sent.push((await small.call(method, `/${path}`, { token, headers })).status);
  expect([...new Set(sent)].toSorted()).toEqual([404, 405, 421, 429]);
  const database = new Database(databaseFile(small.data), { readonly: true });
  const rows = database
    .query<{ lines: number; calls: number }, []>(
      `SELECT count(*) AS lines, sum(count) AS calls FROM activity
       WHERE took_token = 0 GROUP BY minute`,
    )
    .all();
  database.close();
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(sent.length);
  // 60 rows, and one for each status that counts the rest.
  for (const { lines } of rows) expect(lines).toBeLessThanOrEqual(64);
});
