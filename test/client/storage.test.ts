import { afterAll, afterEach, expect, test } from "bun:test";
import { forceCloseDatabase } from "fake-indexeddb";
import { deleteDB, openDB } from "idb";
import { addTabs, createTask, removeTabs, setTask } from "../../src/client/edits.ts";
import { type Client, StorageFull } from "../../src/client/client.ts";
import { startServer, testClock } from "../support/server.ts";
import { newAddress, newLine, openWindow } from "../support/client/person.ts";
import { newBrowser } from "../support/client/browser.ts";

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

test("Chromium's own words for a full disk count, and so does a store that it cannot open then", async () => {
  const { open } = await newPerson();
  const { client, opened } = await evictable(open);
  const create = () => client.edit("Created", [createTask({ id: "one", title: "One" })]);
  const refusal = async (): Promise<unknown> => create().catch((error: unknown) => error);
  IDBObjectStore.prototype.put = () => {
    throw new DOMException(
      "Connection is closing because of: IO error: 000004.log: FILE_ERROR_NO_SPACE",
      "UnknownError",
    );
  };
  expect(await refusal()).toBeInstanceOf(StorageFull);
  const { open: openUsually } = IDBFactory.prototype;
  IDBFactory.prototype.open = () => {
    throw new DOMException("Internal error opening backing store.", "UnknownError");
  };
  for (const db of opened) forceCloseDatabase(db as never);
  expect(await refusal()).toBeInstanceOf(StorageFull);
  IDBFactory.prototype.open = openUsually;
  IDBObjectStore.prototype.put = put;
  await create();
  expect(client.state()).toMatchObject({ storage: "good", waiting: 1 });
});

test("an edit opens the store again that the browser has closed without saying so", async () => {
  const { open } = await newPerson();
  const { client, opened } = await evictable(open);
  for (const db of opened) db.close();
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  expect(client.state().tasks.get("one")?.title).toBe("One");
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

/** A window, and the connections to its store, by which it can be evicted. */
const evictable = async (open: () => Promise<Client>) => {
  let client = await open();
  client.close();
  const opened = await openedBy(async () => (client = await open()));
  return { client, opened };
};

/** As browsers do it: the connections are closed, and the data are gone. */
const evict = async (name: string, opened: readonly IDBDatabase[]): Promise<void> => {
  for (const db of opened) db.close();
  await deleteDB(name);
  for (const db of opened) forceCloseDatabase(db as never);
};

test("when the browser removes the store, edits that wait are saved again, and the rest comes again", async () => {
  const { open, line, key, name } = await newPerson();
  const { client, opened } = await evictable(open);
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

  await evict(name, opened);
  while (client.state().storage !== "evicted") await Bun.sleep(5);
  expect(client.state()).toMatchObject({ storage: "evicted", waiting: 1 });

  line.fate = "answered";
  await client.sync();
  expect(client.state()).toMatchObject({ storage: "good", waiting: 0, sync: { kind: "idle" } });
  expect([...client.state().tasks.keys()].toSorted()).toEqual(["one", "two"]);
  expect(client.state().tasks.get("one")).toMatchObject({
    title: "Renamed",
    tabs: [{ url: "https://agent.example/" }],
  });
});

test("an edit that the server has taken, but whose reply and store were lost, is no news to the edit after it", async () => {
  const { open, line, name } = await newPerson();
  const { client, opened } = await evictable(open);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  line.fate = "reply lost";
  server.clock.advance(1_000);
  await client.edit("Added", [addTabs("one", [{ url: "https://a.example/" }])]);
  await client.sync();
  await evict(name, opened);
  while (client.state().storage !== "evicted") await Bun.sleep(5);
  server.clock.advance(1_000);
  await client.edit("Removed", [removeTabs("one", [0])]);
  line.fate = "answered";
  await client.sync();
  expect(client.state()).toMatchObject({ waiting: 0, sync: { kind: "idle" } });
  expect(client.state().tasks.get("one")?.tabs).toEqual([]);
});

test("an edit whose transaction the browser never ends, because it removes the store, is made in the new one", async () => {
  const { open, line, name } = await newPerson();
  line.fate = "request lost";
  const { client, opened } = await evictable(open);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  const began = Promise.withResolvers<null>();
  // Firefox does this to some requests.
  IDBObjectStore.prototype.put = function (...args) {
    const request = put.apply(this, args);
    request.addEventListener("success", (event) => event.stopImmediatePropagation());
    began.resolve(null);
    return request;
  };
  const edited = client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  await began.promise;
  IDBObjectStore.prototype.put = put;
  await Bun.sleep(50);
  await evict(name, opened);
  await edited;
  expect([...client.state().tasks.keys()].toSorted()).toEqual(["one", "two"]);
  expect(client.state().waiting).toBe(2);
});

test("when the store cannot be opened again at once, the next edit opens it", async () => {
  const { open, line, name } = await newPerson();
  const { client, opened } = await evictable(open);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await client.sync();
  line.fate = "request lost";
  await client.edit("Renamed", [setTask("one", { title: "Renamed" })]);

  const { open: openUsually } = IDBFactory.prototype;
  const tries: number[] = [];
  IDBFactory.prototype.open = () => {
    tries.push(tries.length);
    throw new DOMException("Internal error.", "UnknownError");
  };
  await evict(name, opened);
  while (tries.length === 0) await Bun.sleep(5);
  const refused = client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  expect(await refused.catch((error: unknown) => String(error))).toContain("Internal error.");
  IDBFactory.prototype.open = openUsually;

  await client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  expect(client.state()).toMatchObject({ storage: "evicted", waiting: 2, saving: 0 });
  line.fate = "answered";
  await client.sync();
  expect(client.state()).toMatchObject({ storage: "good", waiting: 0, sync: { kind: "idle" } });
  expect([...client.state().tasks.values()].map(({ title }) => title).toSorted()).toEqual([
    "Renamed",
    "Two",
  ]);
});

test("what the browser removes once more while it is saved again is saved at the next use", async () => {
  const { open, line, name } = await newPerson();
  const { client, opened } = await evictable(open);
  line.fate = "request lost";
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  const tries: number[] = [];
  IDBObjectStore.prototype.put = () => {
    tries.push(tries.length);
    throw new DOMException("The connection was closed.", "AbortError");
  };
  await evict(name, opened);
  while (tries.length === 0) await Bun.sleep(5);
  IDBObjectStore.prototype.put = put;
  await client.edit("Created", [createTask({ id: "two", title: "Two" })]);
  expect(client.state().waiting).toBe(2);
  expect([...client.state().tasks.keys()].toSorted()).toEqual(["one", "two"]);
});
