import { afterAll, afterEach, expect, test } from "bun:test";
import { forceCloseDatabase } from "fake-indexeddb";
import { deleteDB, openDB } from "idb";
import { createTask, setTask } from "../../src/client/edits.ts";
import { StorageFull } from "../../src/client/client.ts";
import { startServer, testClock } from "../support/server.ts";
import { newAddress, newLine, openWindow } from "./_person.ts";
import { newBrowser } from "./_browser.ts";

const server = await startServer({ clock: testClock(Date.now()) });
afterAll(() => server.stop());

let people = 0;

const newPerson = async () => {
  const person = await server.person(`ann${(people += 1)}@example.org`);
  const address = newAddress();
  const line = newLine(() => server.url, person.session);
  const browser = newBrowser();
  const open = () => openWindow(line, address, { browser, now: () => server.clock.wall() });
  return { line, address, open, key: await person.key(), name: `docket ${address} 1` };
};

const put = IDBObjectStore.prototype.put;
afterEach(() => {
  IDBObjectStore.prototype.put = put;
});

const fillTheDisk = (): void => {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("There is no room.", "QuotaExceededError");
  };
};

test("when the browser has no room, an edit is refused and not shown, and earlier ones are safe", async () => {
  const { open, line } = await newPerson();
  line.fate = "request lost";
  const client = await open();
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  fillTheDisk();
  const failed = client.edit("Renamed", [setTask("one", { title: "Two" })]);
  expect(await failed.catch((error: unknown) => error)).toBeInstanceOf(StorageFull);
  expect(client.state()).toMatchObject({ storage: "full", waiting: 1 });
  expect(client.state().tasks.get("one")?.title).toBe("One");
  IDBObjectStore.prototype.put = put;
  await client.edit("Renamed", [setTask("one", { title: "Two" })]);
  expect(client.state()).toMatchObject({ storage: "good", waiting: 1 });
});

test("a pull that does not fit is tried again, and nothing is skipped", async () => {
  const { open, key } = await newPerson();
  const client = await open();
  await client.sync();
  server.clock.advance(1_000);
  await server.call("POST", "/tasks", { token: key, body: { title: "Filed" } });
  fillTheDisk();
  await client.sync();
  expect(client.state()).toMatchObject({ storage: "full", sync: { kind: "problem" } });
  IDBObjectStore.prototype.put = put;
  await client.sync();
  expect(client.state()).toMatchObject({ storage: "good", sync: { kind: "idle" } });
  expect(client.state().tasks.size).toBe(1);
});

test("a page that another window's newer version made the store too new for says so", async () => {
  const { open, name } = await newPerson();
  const newer = await openDB(name, 99);
  const failed = await open().catch((error: unknown) => error);
  expect(String(failed)).toContain("Reload this page");
  newer.close();
  await deleteDB(name);
});

test("a window closes the store for a newer version, and asks to be reloaded", async () => {
  const { open, name } = await newPerson();
  const client = await open();
  const newer = await openDB(name, 99);
  expect(client.state().mustReload).toBe(true);
  expect(client.edit("Created", [createTask({ id: "one", title: "One" })])).rejects.toThrow(
    "Reload this page",
  );
  newer.close();
  await deleteDB(name);
});

/** Runs `job`, and returns the databases that were opened meanwhile. */
const openedBy = async (job: () => Promise<unknown>): Promise<readonly IDBDatabase[]> => {
  const { open } = IDBFactory.prototype;
  const opened: IDBDatabase[] = [];
  IDBFactory.prototype.open = function (...named) {
    const request = open.apply(this, named);
    request.addEventListener("success", () => opened.push(request.result));
    return request;
  };
  await job();
  IDBFactory.prototype.open = open;
  return opened;
};

test("when the browser removes the store, edits that wait are saved again, and the rest comes again", async () => {
  const { open, line, key, name } = await newPerson();
  const opened: IDBDatabase[] = [];
  let client = await open();
  client.close();
  opened.push(...(await openedBy(async () => (client = await open()))));
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  await client.sync();
  line.fate = "request lost";
  await server.call("POST", "/tasks/one/tabs", {
    token: key,
    body: [{ url: "https://agent.example/" }],
  });
  server.clock.advance(1_000);
  await client.edit("Renamed", [setTask("one", { title: "Renamed" })]);

  // As browsers do it: the connection is closed, and the data are gone.
  for (const db of opened) db.close();
  await deleteDB(name);
  for (const db of opened) forceCloseDatabase(db as never);
  while (client.state().storage !== "evicted") await Bun.sleep(5);
  expect(client.state()).toMatchObject({ storage: "evicted", waiting: 1 });

  line.fate = "answered";
  await client.sync();
  expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
  expect([...client.state().tasks.keys()].toSorted()).toEqual(["one", "two"]);
  expect(client.state().tasks.get("one")).toMatchObject({
    title: "Renamed",
    tabs: [{ url: "https://agent.example/" }],
  });
});
