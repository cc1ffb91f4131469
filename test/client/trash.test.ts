import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import {
  addNote,
  createTask,
  remove,
  removeForGood,
  revive,
  setTask,
} from "../../src/client/edits.ts";
import { listTasks } from "../../src/client/lists.ts";
import { listDeleted } from "../../src/db/history/deleted.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { startServer, testClock, type TestServer } from "../support/server.ts";
import { newAddress, newLine, openWindow } from "../support/client/person.ts";

let server: TestServer;
let people = 0;

beforeAll(async () => {
  server = await startServer({ clock: testClock(Date.now()) });
});
afterAll(() => server.stop());

/** Ann's laptop and phone, both with one deleted task in the trash. */
const setting = async () => {
  const person = await server.person(`bin${(people += 1)}@example.org`);
  const now = () => server.clock.wall();
  const { id } = person.account;
  const window = async (secret: string) =>
    openWindow(
      newLine(() => server.url, secret),
      newAddress(),
      { now },
    );
  const laptop = await window(person.session);
  const { secret } = await createSession(server.store, id, "phone", cryptoRandom, now());
  const phone = await window(secret);
  const inStep = async () => {
    for (const client of [laptop, phone, laptop, phone]) await client.sync();
    server.clock.advance(1_000);
  };
  const tabs = [{ id: "tab", url: "https://secret.example/" }];
  await laptop.edit("Created", [createTask({ id: "one", title: "One", tabs })]);
  await inStep();
  await laptop.edit("Deleted", [remove("sync_tasks", "one")]);
  await inStep();
  const pulled = async () => {
    const { json } = await server.call("GET", "/sync", { token: person.session });
    return json.changes.sync_tasks as unknown;
  };
  return { laptop, phone, inStep, pulled, accountId: id };
};

const inTrash = (client: Client): readonly string[] =>
  listTasks(client.state(), { kind: "trash" }).map(({ title }) => title);

describe("a task that is deleted for good", () => {
  test("leaves the trash on every device, and its content stays in the server's history alone", async () => {
    const { laptop, phone, inStep, pulled, accountId } = await setting();
    expect([inTrash(laptop), inTrash(phone)]).toEqual([["One"], ["One"]]);
    await laptop.edit("Deleted for good", [removeForGood("sync_tasks", "one")]);
    await inStep();
    expect([inTrash(laptop), inTrash(phone)]).toEqual([[], []]);
    expect(await pulled()).toMatchObject([{ payload: {}, deleted_at: expect.any(String) }]);
    const { rows } = await listDeleted(
      server.store,
      accountId,
      { after: null, limit: 9 },
      server.clock.wall(),
    );
    expect(rows).toMatchObject([{ id: "one", title: "One", payload: { title: "One" } }]);
  });

  test("goes at once, if it was only in a trash bucket", async () => {
    const { laptop, phone, inStep } = await setting();
    await laptop.edit("Created", [createTask({ id: "two", title: "Two", bucketId: "trash" })]);
    await inStep();
    expect(inTrash(phone)).toEqual(["Two", "One"]);
    await phone.edit("Emptied", [
      removeForGood("sync_tasks", "one"),
      removeForGood("sync_tasks", "two"),
    ]);
    await inStep();
    expect([inTrash(laptop), laptop.state().tasks.size]).toEqual([[], 0]);
  });

  test("comes back with all that it held when that is undone", async () => {
    const { laptop, phone, inStep } = await setting();
    await laptop.edit("Deleted for good", [removeForGood("sync_tasks", "one")]);
    await inStep();
    expect(await laptop.undo()).toBe("Deleted for good");
    await inStep();
    expect(inTrash(phone)).toEqual(["One"]);
    await phone.edit("Restored", [revive("sync_tasks", "one")]);
    await inStep();
    const [tab] = laptop.state().tasks.get("one")?.tabs ?? [];
    expect(tab?.url).toBe("https://secret.example/");
  });

  test("stays whole if another device restored it later, and its undo leaves it alone", async () => {
    const { laptop, phone, inStep } = await setting();
    const step = await laptop.edit("Deleted for good", [removeForGood("sync_tasks", "one")]);
    server.clock.advance(1_000);
    await phone.edit("Restored", [
      revive("sync_tasks", "one"),
      setTask("one", { title: "Uno" }),
      addNote("one", { text: "kept" }),
    ]);
    await phone.sync();
    await inStep();
    for (const client of [laptop, phone])
      expect(client.state().tasks.get("one")).toMatchObject({
        title: "Uno",
        tabs: [{ url: "https://secret.example/" }],
        notes: [{ text: "kept" }],
      });
    await step.undo();
    await inStep();
    expect(phone.state().tasks.get("one")?.title).toBe("Uno");
  });

  test("stays whole if a device that had not heard of that restores it", async () => {
    const { laptop, phone, inStep } = await setting();
    await laptop.edit("Deleted for good", [removeForGood("sync_tasks", "one")]);
    await laptop.sync();
    server.clock.advance(1_000);
    await phone.edit("Restored", [revive("sync_tasks", "one")]);
    await inStep();
    for (const client of [laptop, phone])
      expect(client.state().tasks.get("one")).toMatchObject({
        title: "One",
        tabs: [{ url: "https://secret.example/" }],
      });
  });
});
