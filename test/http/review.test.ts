import { expect, test } from "bun:test";
import { createKey } from "../../src/db/people/api-keys.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";

// What a key creates that was made for review waits until a person has kept it.

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const { call, clock, store } = server;

const reviewed = async () => {
  const ann = await newcomer(server);
  const wish = {
    name: "planner",
    scopes: ["read", "write"],
    restriction: null,
    expiresAt: null,
    review: true,
  } as const;
  const { secret: key } = await createKey(store, ann.account.id, wish, cryptoRandom, clock.wall());
  const task = { title: "Theirs", project_id: "f" };
  await call("POST", "/sync", {
    token: ann.session,
    body: [change("sync_projects", "f", { name: "Travel" }), change("sync_tasks", "theirs", task)],
  });
  const post = (body: object) => call("POST", "/tasks", { token: key, body });
  const patch = (id: string, body: object) => call("PATCH", `/tasks/${id}`, { token: key, body });
  const titles = async (query: string, token = key) =>
    (await call("GET", `/tasks?${query}`, { token })).json.tasks.map(
      ({ title }: { title: string }) => title,
    );
  return { ann, key, post, patch, titles };
};

test("What it creates is proposed, whatever it says, and only lists that ask for it have it", async () => {
  const { ann, key, post, titles } = await reviewed();
  for (const status of [undefined, "todo", "done"]) {
    const made = await post({ title: "Mine", folder: "f", ...(status ? { status } : {}) });
    expect([made.status, made.json.status]).toEqual([201, "proposed"]);
  }
  for (const token of [key, ann.session]) {
    expect(await titles("", token)).toEqual(["Theirs"]);
    expect(await titles("closed=true", token)).toEqual(["Theirs"]);
    expect(await titles("project_id=f", token)).toEqual(["Theirs"]);
    expect(await titles("q=mine", token)).toEqual([]);
    expect(await titles("status=proposed", token)).toHaveLength(3);
    expect(await titles("status=proposed&q=mine", token)).toHaveLength(3);
  }
  const { projects } = (await call("GET", "/projects", { token: key })).json;
  expect(projects[0].task_count).toBe(1);
  expect((await call("GET", "/me", { token: key })).json.review).toBe(true);
});

test("It is read, changed and noted like any other by its id", async () => {
  const { key, post, patch, titles } = await reviewed();
  const { id } = (await post({ title: "Mine" })).json;
  expect((await patch(id, { title: "Mine too", status: "proposed" })).json.title).toBe("Mine too");
  const note = await call("POST", `/tasks/${id}/notes`, { token: key, body: { text: "n" } });
  expect(note.status).toBe(201);
  expect(await titles(`ids=${id}`)).toEqual(["Mine too"]);
  expect((await call("POST", "/claims", { token: key, body: { filter: {} } })).json.task.id).toBe(
    "theirs",
  );
});

test("It lifts no proposal, makes none of what is there, and closes nothing", async () => {
  const { ann, post, patch, key } = await reviewed();
  const { id } = (await post({ title: "Mine" })).json;
  const lifts =
    "This key is made for review: only a person decides what is proposed, and what is kept. Leave out status.";
  const closes =
    "This key is made for review, so it cannot close a task. Write a note that says what is done.";
  for (const status of ["todo", "done", "In Progress"])
    expectRefusal(await patch(id, { title: "x", status }), 403, lifts);
  expectRefusal(await patch("theirs", { status: "proposed" }), 403, lifts);
  for (const status of ["done", "Completed", "cancelled"])
    expectRefusal(await patch("theirs", { title: "x", status }), 403, closes);
  const body = { ids: ["theirs", id], set: { status: "done" } };
  expectRefusal(await call("PATCH", "/tasks", { token: key, body }), 403, closes);
  const read = async (one: string) =>
    (await call("GET", `/tasks/${one}`, { token: ann.session })).json as object;
  expect(await read("theirs")).toMatchObject({ title: "Theirs", status: "todo" });
  expect(await read(id)).toMatchObject({ title: "Mine", status: "proposed" });
  expect((await patch("theirs", { status: "in_progress" })).status).toBe(200);
});

test("A person's device keeps it, and then it is a task like others", async () => {
  const { ann, post, titles } = await reviewed();
  const { id } = (await post({ title: "Mine" })).json;
  const body = { status: "todo" };
  expect((await call("PATCH", `/tasks/${id}`, { token: ann.session, body })).status).toBe(200);
  expect((await titles("")).toSorted()).toEqual(["Mine", "Theirs"]);
});

test("A hundred may wait; one that is kept or deleted makes room", async () => {
  const { ann, post } = await reviewed();
  const made = await Promise.all(Array.from({ length: 100 }, () => post({ title: "Mine" })));
  const full =
    "100 tasks that this key proposed are waiting for a person. Wait until some are kept or dismissed.";
  expectRefusal(await post({ title: "More" }), 409, full);
  const body = { status: "todo" };
  await call("PATCH", `/tasks/${made[0]?.json.id}`, { token: ann.session, body });
  expect((await post({ title: "More" })).status).toBe(201);
  expectRefusal(await post({ title: "Still more" }), 409, full);
  // Another key of the same person is not held up.
  const other = await ann.key();
  expect((await call("POST", "/tasks", { token: other, body: { title: "t" } })).status).toBe(201);
});

test("What it files without a task goes into the inbox as always", async () => {
  const { key } = await reviewed();
  const body = [{ url: "https://a.example/" }];
  const { json } = await call("POST", "/inbox/tabs", { token: key, body });
  expect(json.task).toMatchObject({ title: "Agent unsorted", status: "todo" });
});

test("A proposal in a bucket that leaves the trash again is still none of the open tasks", async () => {
  const { ann, post, titles } = await reviewed();
  const push = (...body: readonly unknown[]) => call("POST", "/sync", { token: ann.session, body });
  await push(change("sync_buckets", "b", { name: "B" }));
  await post({ title: "Mine", bucket_id: "b" });
  await push(change("sync_buckets", "b", { name: "B", kind: "trash" }, later()));
  expect(await titles("status=proposed")).toEqual([]);
  await push(change("sync_buckets", "b", { name: "B" }, later()));
  expect(await titles("status=proposed")).toEqual(["Mine"]);
  expect(await titles("")).toEqual(["Theirs"]);
});

const later = (): { updated_at: string } => {
  clock.advance(1_000);
  return { updated_at: new Date(clock.wall()).toISOString() };
};
