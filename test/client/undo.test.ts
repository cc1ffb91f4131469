import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { addNote, addTabs, createTask, moveTabs, remove, setTask } from "../../src/client/edits.ts";
import { takenBack } from "../../src/client/undo.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { startServer, testClock, type TestServer } from "../support/server.ts";
import { newAddress, newLine, openWindow } from "../support/client/person.ts";

let server: TestServer;
let people = 0;

beforeAll(async () => {
  server = await startServer({ clock: testClock(Date.now()) });
});
afterAll(() => server.stop());

const tab = (id: string, title = id): Payload => ({ id, url: `https://${id}.example/`, title });

type Case = readonly [name: string, before: Payload, after: Payload, now: Payload, result: Payload];

const CASES: readonly Case[] = [
  ["a field", { title: "a" }, { title: "b" }, { title: "b", due: "x" }, { title: "a", due: "x" }],
  ["a field that was added", {}, { due: "x" }, { due: "x" }, {}],
  ["a field that was cleared", { due: "x" }, {}, {}, { due: "x" }],
  [
    "not a field that somebody changed since",
    { title: "a" },
    { title: "b" },
    { title: "c" },
    { title: "c" },
  ],
  [
    "an added tab, and keeps an agent's",
    { pages: [tab("a")] },
    { pages: [tab("a"), tab("b")] },
    { pages: [tab("a"), tab("b"), tab("agent")] },
    { pages: [tab("a"), tab("agent")] },
  ],
  [
    "a removed tab, in its old place, and keeps an agent's",
    { pages: [tab("a"), tab("b"), tab("c")] },
    { pages: [tab("a"), tab("c")] },
    { pages: [tab("a"), tab("c"), tab("agent")] },
    { pages: [tab("a"), tab("b"), tab("c"), tab("agent")] },
  ],
  [
    "all tabs removed",
    { pages: [tab("a"), tab("b")] },
    { pages: [] },
    { pages: [tab("agent")] },
    { pages: [tab("a"), tab("b"), tab("agent")] },
  ],
  [
    "a tab's new title, and not one that changed since",
    { pages: [tab("a"), tab("b")] },
    { pages: [tab("a", "x"), tab("b", "x")] },
    { pages: [tab("a", "x"), tab("b", "y"), tab("agent")] },
    { pages: [tab("a"), tab("b", "y"), tab("agent")] },
  ],
  [
    "another order, with an agent's tab in between",
    { pages: [tab("a"), tab("b"), tab("c")] },
    { pages: [tab("c"), tab("a"), tab("b")] },
    { pages: [tab("c"), tab("agent"), tab("a"), tab("b")] },
    { pages: [tab("a"), tab("agent"), tab("b"), tab("c")] },
  ],
  [
    "tabs without ids",
    { pages: [{ url: "a" }] },
    { pages: [{ url: "a" }, { url: "b" }] },
    { pages: [{ url: "c" }, { url: "a" }, { url: "b" }] },
    { pages: [{ url: "c" }, { url: "a" }] },
  ],
];

describe("undo takes back", () => {
  for (const [name, before, after, now, result] of CASES)
    test(name, () => expect(takenBack(before, after, now)).toEqual(result));
});

const GONE = "NotPossible: The task has since been deleted, so this cannot be undone.";

/** Ann's laptop and phone, both in step, and an agent of hers. */
const setting = async () => {
  const person = await server.person(`ann${(people += 1)}@example.org`);
  const now = () => server.clock.wall();
  const line = newLine(() => server.url, person.session);
  const laptop = await openWindow(line, newAddress(), { now });
  const { id } = person.account;
  const { secret } = await createSession(server.store, id, "phone", cryptoRandom, now());
  const phone = await openWindow(
    newLine(() => server.url, secret),
    newAddress(),
    { now },
  );
  const key = await person.key();
  const agent = async (path: string, body: unknown) => {
    server.clock.advance(1_000);
    await server.call("POST", path, { token: key, body });
  };
  const inStep = async () => {
    for (const client of [laptop, phone, laptop]) await client.sync();
    server.clock.advance(1_000);
  };
  return { laptop, phone, agent, inStep };
};

const tabsOf = (client: Client, id: string): readonly string[] | undefined =>
  client
    .state()
    .tasks.get(id)
    ?.tabs.map((one) => one.id ?? one.url);

const rejection = (undone: Promise<unknown>): Promise<string> =>
  undone.then(
    () => "It was undone.",
    (error: unknown) => String(error),
  );

test("undo takes back the step that was made last, even if that is not saved yet", async () => {
  const { laptop } = await setting();
  await laptop.edit("Created", [createTask({ id: "one", title: "One" })]);
  const renamed = laptop.edit("Renamed", [setTask("one", { title: "Uno" })]);
  const undone = laptop.undo();
  await renamed;
  expect(await undone).toBe("Renamed");
  expect(laptop.state().tasks.get("one")?.title).toBe("One");
});

describe("undo, after somebody else was there,", () => {
  test("does not bring back a task that was deleted, says so, and goes on to the step before", async () => {
    const { laptop, phone, inStep } = await setting();
    await laptop.edit("Created", [
      createTask({ id: "one", title: "One" }),
      createTask({ id: "two", title: "Two" }),
    ]);
    await laptop.edit("Two renamed", [setTask("two", { title: "2" })]);
    const step = await laptop.edit("One renamed", [setTask("one", { title: "1" })]);
    await inStep();
    await phone.edit("Deleted", [remove("sync_tasks", "one")]);
    await phone.sync();
    await inStep();
    expect(await rejection(step.undo())).toBe(GONE);
    await inStep();
    for (const client of [laptop, phone]) expect([...client.state().tasks.keys()]).toEqual(["two"]);
    expect(await laptop.undo()).toBe("Two renamed");
  });

  test("takes the rest of a step back, and leaves the task that was deleted", async () => {
    const { laptop, phone, inStep } = await setting();
    const ids = ["one", "two"];
    await laptop.edit(
      "Created",
      ids.map((id) => createTask({ id, title: id })),
    );
    const step = await laptop.edit(
      "Done",
      ids.map((id) => setTask(id, { status: "done" })),
    );
    await inStep();
    await phone.edit("Deleted", [remove("sync_tasks", "one")]);
    await inStep();
    await step.undo();
    const { tasks } = laptop.state();
    expect([tasks.has("one"), tasks.get("two")?.status]).toEqual([false, "todo"]);
  });

  test("leaves a moved tab where it is if the task that it came from was deleted", async () => {
    const { laptop, phone, inStep } = await setting();
    await laptop.edit("Created", [
      createTask({ id: "one", title: "One", tabs: [{ id: "t", url: "https://t.example/" }] }),
      createTask({ id: "two", title: "Two" }),
    ]);
    const step = await laptop.edit("Moved", [moveTabs("one", ["t"], "two")]);
    await inStep();
    await phone.edit("Deleted", [remove("sync_tasks", "one")]);
    await inStep();
    expect(await rejection(step.undo())).toBe(GONE);
    expect([tabsOf(laptop, "one"), tabsOf(laptop, "two")]).toEqual([undefined, ["t"]]);
  });

  test("takes its own tabs out of a task that it made, and leaves what was added", async () => {
    const { laptop, phone, agent, inStep } = await setting();
    const step = await laptop.edit("Created", [
      createTask({
        id: "one",
        title: "One",
        due: "2031-05-06",
        tabs: [{ id: "mine", url: "https://mine.example/" }],
        notes: [{ text: "mine" }],
      }),
    ]);
    await inStep();
    await agent("/tasks/one/tabs", [{ url: "https://agent.example/" }]);
    await phone.sync();
    server.clock.advance(1_000);
    await phone.edit("Note added", [addNote("one", { text: "From the phone" })]);
    await inStep();
    await step.undo();
    await inStep();
    for (const client of [laptop, phone])
      expect(client.state().tasks.get("one")).toMatchObject({
        title: "One",
        due: "2031-05-06",
        tabs: [{ url: "https://agent.example/" }],
        notes: [{ text: "From the phone" }],
      });
  });

  test("deletes a task that it made if nothing was added to it", async () => {
    const { laptop, agent, inStep } = await setting();
    const tabs = [{ id: "mine", url: "https://mine.example/" }];
    await laptop.edit("Created", [createTask({ id: "one", title: "One", tabs })]);
    await laptop.edit("Added", [addTabs("one", [{ url: "https://more.example/" }])]);
    await inStep();
    await agent("/tasks", { title: "Another" });
    await laptop.undo();
    await laptop.undo();
    await inStep();
    expect(laptop.state().tasks.has("one")).toBe(false);
  });
});
