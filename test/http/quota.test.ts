import { expect, test } from "bun:test";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";
import { agent } from "../support/mcp/agent.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

const MIB = 1024 * 1024;
const server = await sharedServer({
  quota: 2 * MIB,
  limits: { perMinute: 10_000, perHour: 10_000 },
});
const open = await sharedServer();
const { call } = server;

const FULL =
  "This account may take up 2 MiB on this server, and this would be more. Nothing was changed. " +
  "Remove tabs, notes or tasks that are no longer needed, or ask the person who runs the server for more.";

const fat = (id: string, kib: number, updated = "2026-03-04T12:00:00.000Z") =>
  change("sync_tasks", id, { title: id, fill: "x".repeat(kib * 1024) }, { updated_at: updated });

/** Ann, whose tasks take up nearly all that they may. */
const nearlyFull = async () => {
  const ann = await newcomer(server);
  const push = (...body: unknown[]) => call("POST", "/sync", { token: ann.session, body });
  expect((await push(fat("a", 900), fat("b", 900))).json.applied).toBe(2);
  return { ann, push, token: await ann.key() };
};

test("What would go beyond an account's quota is refused whole, over every way in", async () => {
  const { push, token } = await nearlyFull();
  expectRefusal(await push(fat("c", 100), fat("d", 200)), 507, FULL);
  const notes = Array.from({ length: 20 }, () => "n".repeat(19_000));
  expectRefusal(await call("POST", "/tasks", { token, body: { title: "t", notes } }), 507, FULL);
  const { error } = await agent(server, token).use("add_task", { title: "t", notes });
  expect(error).toBe(FULL);
  const { json } = await call("GET", "/tasks", { token });
  expect((json.tasks as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
});

test("What fits is accepted, and each account has a quota of its own", async () => {
  const { push, token } = await nearlyFull();
  expect((await push(fat("c", 100))).json.applied).toBe(1);
  expect((await call("POST", "/tasks", { token, body: { title: "t" } })).status).toBe(201);
  const bob = await newcomer(server, "bob");
  const theirs = { token: bob.session, body: [fat("a", 900)] };
  expect((await call("POST", "/sync", theirs)).json.applied).toBe(1);
});

test("A full account can be tidied up, and then takes more", async () => {
  const { push } = await nearlyFull();
  expect((await push(fat("c", 200))).status).toBe(200);
  expectRefusal(await push(fat("d", 200)), 507, FULL);
  expect((await push(fat("a", 1, "2026-03-04T12:00:01.000Z"))).json.applied).toBe(1);
  expect((await push(fat("d", 200))).json.applied).toBe(1);
});

test("Records without content use the quota up too", async () => {
  const ann = await newcomer(server);
  const push = (part: number) =>
    call("POST", "/sync", {
      token: ann.session,
      body: Array.from({ length: 500 }, (_, at) =>
        change("sync_tasks", `${part}-${at}`.padEnd(255, "."), {}),
      ),
    });
  expect((await push(0)).json.applied).toBe(500);
  expect((await push(1)).json.applied).toBe(500);
  expectRefusal(await push(2), 507, FULL);
});

test("Dry runs and refused writes use none of it up, and free none of it either", async () => {
  const { push, token } = await nearlyFull();
  const notes = ["n".repeat(10_000)];
  const options = { token, body: { title: "t", notes } };
  for (let n = 0; n < 30; n++)
    expect((await call("POST", "/tasks?dry_run=true", options)).status).toBe(200);
  expect((await push(fat("c", 100))).json.applied).toBe(1);
  for (let n = 0; n < 3; n++)
    await call("PATCH", "/tasks/a?dry_run=true", { token, body: { title: "" } });
  expectRefusal(await push(fat("d", 200)), 507, FULL);
});

test("Without the setting there is no quota", async () => {
  const ann = await newcomer(open);
  for (const id of ["a", "b", "c", "d"]) {
    const body = [fat(id, 900)];
    const pushed = await open.call("POST", "/sync", { token: ann.session, body });
    expect(pushed.json.applied).toBe(1);
  }
});

test("The overview shows what is used, and the quota if there is one", async () => {
  const ann = await someoneSignedIn(server);
  expect((await ann.get("/account")).text).toContain(
    "Your tasks and folders use 0 bytes of the 2.0 MiB that this server gives each account.",
  );
  const bob = await someoneSignedIn(open);
  expect((await bob.get("/account")).text).toContain("Your tasks and folders use 0 bytes.");
});
