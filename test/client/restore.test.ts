import { afterAll, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { addTabs, createTask, setTask } from "../../src/client/edits.ts";
import { startInProcess } from "../model/witness/server.ts";
import { ask } from "../model/witness/wire.ts";
import { newAddress, newLine, openWindow } from "../support/client/person.ts";

const server = await startInProcess(Date.parse("2026-03-04T12:00:00.000Z"));
afterAll(() => server.end());

const pass = (ms: number): void => server.set(server.now() + ms);

const withoutTime = (call: string): string =>
  call.replace(/since=[^&]*/, "since").replace(/&?limit=\d+/, "");

test("after the server is restored from a backup, it gets back what this device still has", async () => {
  const person = await server.person(["laptop", "phone"], []);
  const line = newLine(server.url, person.sessions.get("laptop") ?? "");
  const client = await openWindow(line, newAddress(), { now: server.now });
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  const backup = await server.command("backup");
  pass(60_000);
  await client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  await client.sync();
  pass(60_000);
  line.fate = "request lost";
  await client.edit("Renamed", [setTask("one", { title: "One, renamed" })]);
  await server.restore(backup);
  line.fate = "answered";
  line.calls.length = 0;
  expect(client.state().restoredAt).toBe(null);
  await client.sync();
  expect(client.state().restoredAt).toBe(server.now());
  expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
  // The edit, whose reply has a new epoch and is dropped; everything as the server had it, without since, to which it
  // answers that it has had that, and what it made of the edit; everything again.
  expect(line.calls.slice(0, 4).map(withoutTime)).toEqual([
    "POST /sync?since",
    "POST /sync",
    "GET /sync?",
    "GET /sync?since",
  ]);

  const phone = newLine(server.url, person.sessions.get("phone") ?? "");
  const other = await openWindow(phone, newAddress(), { now: server.now });
  await other.sync();
  const titles = [...other.state().tasks.values()].map(({ title }) => title);
  expect(titles.toSorted()).toEqual(["One, renamed", "Two"]);
});

test("after a restore, a device adds what it still has to what another has written since, and replaces nothing", async () => {
  const person = await server.person(["laptop", "phone"], []);
  const open = async (name: string) => {
    const line = newLine(server.url, person.sessions.get(name) ?? "");
    return openWindow(line, newAddress(), { now: server.now });
  };
  const [laptop, phone] = [await open("laptop"), await open("phone")];
  const add = async (client: Client, id: string): Promise<void> => {
    pass(1_000);
    await client.edit("Tab added", [addTabs("one", [{ id, url: `https://${id}.example/` }])]);
  };
  await laptop.edit("Created", [createTask({ id: "one", title: "One" })]);
  await laptop.sync();
  await phone.sync();
  const backup = await server.command("backup");
  // The phone's tab is earlier than the laptop's, and waits on the phone until after the restore.
  await add(phone, "phone");
  await add(laptop, "laptop");
  await laptop.sync();
  await server.restore(backup);
  pass(1_000);
  await phone.sync();
  await laptop.sync();
  await phone.sync();
  for (const client of [laptop, phone]) {
    const ids = client
      .state()
      .tasks.get("one")
      ?.tabs.map(({ id }) => id);
    expect(ids?.toSorted()).toEqual(["laptop", "phone"]);
    expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
  }
});

test("after a restore, a change that was refused is refused again, and what it was made on is not lost", async () => {
  const person = await server.person(["laptop", "phone"], []);
  const open = async (name: string) => {
    const line = newLine(server.url, person.sessions.get(name) ?? "");
    return openWindow(line, newAddress(), { now: server.now });
  };
  const laptop = await open("laptop");
  await laptop.edit("Created", [createTask({ id: "one", title: "One" })]);
  await laptop.sync();
  const backup = await server.command("backup");
  pass(1_000);
  await laptop.edit("Changed", [
    setTask("one", { due: "2026-04-01" }),
    createTask({ id: "two", title: "Two" }),
  ]);
  await laptop.sync();
  pass(1_000);
  const long = { title: "x".repeat(2_000_000) };
  await laptop.edit("Renamed", [setTask("one", long), setTask("two", long)]);
  await laptop.sync();
  const refused = laptop.state().refused;
  expect(refused.map(({ id }) => id).toSorted()).toEqual(["one", "two"]);
  await server.restore(backup);
  pass(1_000);
  await laptop.sync();
  expect(laptop.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
  expect(laptop.state().refused.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    refused.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  for (const { table, id } of refused) await laptop.discardRefused(table, id);
  const phone = await open("phone");
  await phone.sync();
  for (const client of [laptop, phone]) {
    expect(client.state().tasks.get("one")).toMatchObject({ title: "One", due: "2026-04-01" });
    expect(client.state().tasks.get("two")).toMatchObject({ title: "Two" });
  }
});

test("after a restore, a refused change keeps what only it still has, although an agent has written since", async () => {
  const person = await server.person(["laptop"], ["bot"]);
  const line = newLine(server.url, person.sessions.get("laptop") ?? "");
  const laptop = await openWindow(line, newAddress(), { now: server.now });
  await laptop.edit("Created", [createTask({ id: "one", title: "One" })]);
  await laptop.sync();
  const backup = await server.command("backup");
  pass(1_000);
  await laptop.edit("Tab added", [addTabs("one", [{ id: "t", url: "https://lost.example/" }])]);
  await laptop.sync();
  pass(1_000);
  await laptop.edit("Renamed", [setTask("one", { title: "x".repeat(2_000_000) })]);
  await laptop.sync();
  await server.restore(backup);
  pass(1_000);
  const bot = person.keys.get("bot")?.secret ?? "";
  await ask(server.url(), bot, "POST", "/tasks/one/tabs", [{ url: "https://agent.example/" }]);
  pass(1_000);
  await laptop.sync();
  expect(laptop.state().refused).toHaveLength(1);
  await laptop.edit("Renamed", [setTask("one", { title: "Short" })]);
  await laptop.sync();
  const other = await openWindow(line, newAddress(), { now: server.now });
  await other.sync();
  for (const client of [laptop, other]) {
    const task = client.state().tasks.get("one");
    expect([task?.title, task?.tabs.map(({ url }) => url).toSorted()]).toEqual([
      "Short",
      ["https://agent.example/", "https://lost.example/"],
    ]);
  }
});
