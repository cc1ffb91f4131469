import { afterAll, expect, test } from "bun:test";
import { createTask, setTask } from "../../src/client/edits.ts";
import { startInProcess } from "../model/witness/_server.ts";
import { newAddress, newLine, openWindow } from "./_person.ts";

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
  // The edit; a reply with a new epoch, which is dropped; everything, without since; everything again.
  expect(line.calls.slice(0, 4).map(withoutTime)).toEqual([
    "POST /sync?since",
    "GET /sync?since",
    "POST /sync",
    "GET /sync?",
  ]);

  const phone = newLine(server.url, person.sessions.get("phone") ?? "");
  const other = await openWindow(phone, newAddress(), { now: server.now });
  await other.sync();
  const titles = [...other.state().tasks.values()].map(({ title }) => title);
  expect(titles.toSorted()).toEqual(["One, renamed", "Two"]);
});
