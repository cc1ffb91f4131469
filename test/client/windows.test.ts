import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { createTask, setTask } from "../../src/client/edits.ts";
import { WINDOW_VERSION } from "../../src/client/windows.ts";
import { startServer, testClock, type TestServer } from "../support/server.ts";
import { newBrowser } from "../support/client/browser.ts";
import { newAddress, newLine, openWindow } from "../support/client/person.ts";

let server: TestServer;
let people = 0;

beforeAll(async () => {
  server = await startServer({ clock: testClock(Date.now()) });
});
afterAll(() => server.stop());

const newPerson = async () => {
  const person = await server.person(`ann${(people += 1)}@example.org`);
  const [browser, address] = [newBrowser(), newAddress()];
  const line = newLine(() => server.url, person.session);
  const now = () => server.clock.wall();
  const open = () => openWindow(line, address, { browser, now });
  return { person, browser, address, line, open, key: await person.key() };
};

const until = async (holds: () => boolean): Promise<number> => {
  const began = performance.now();
  while (!holds()) {
    if (performance.now() - began > 10_000) throw new Error("It did not happen.");
    await Bun.sleep(10);
  }
  return performance.now() - began;
};

const titlesIn = (client: Client): readonly string[] =>
  [...client.state().tasks.values()].map(({ title }) => title).toSorted();

test("what an agent files appears while the window is open, within a second", async () => {
  const { open, key } = await newPerson();
  const client = await open();
  client.live();
  await until(() => client.state().syncedAt !== null);
  await Bun.sleep(300);
  server.clock.advance(1_000);
  await server.call("POST", "/tasks", { token: key, body: { title: "Filed" } });
  expect(await until(() => client.state().tasks.size === 1)).toBeLessThan(5_000);
});

test("an edit is pushed at once, also while the window waits for news", async () => {
  const { open, line } = await newPerson();
  const client = await open();
  client.live();
  await until(() => line.calls.some((call) => call.includes("wait=25")));
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  expect(await until(() => client.state().waiting === 0)).toBeLessThan(5_000);
});

test("a window whose first call for a turn came too early is heard all the same", async () => {
  const { open, browser, line } = await newPerson();
  const client = await open();
  client.live();
  await until(() => line.calls.some((call) => call.includes("wait=25")));
  // As when the one that waits for news was between two turns: it has not heard the first call.
  let calls = 0;
  const { channel } = browser;
  Object.assign(browser, {
    channel: (...given: Parameters<typeof channel>) => {
      const { tell, close } = channel(...given);
      const late: typeof tell = (message) => {
        if (message.kind !== "wake" || (calls += 1) > 1) tell(message);
      };
      return { tell: late, close };
    },
  });
  const other = await open();
  const began = performance.now();
  await other.sync();
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(calls).toBeGreaterThan(1);
});

test("a window that is paused ends the wait, and still pushes edits", async () => {
  const { open, line } = await newPerson();
  const client = await open();
  client.live();
  await until(() => line.calls.some((call) => call.includes("wait=25")));
  client.pause();
  await Bun.sleep(100);
  const { length } = line.calls;
  await Bun.sleep(300);
  expect(line.calls).toHaveLength(length);
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  await until(() => client.state().waiting === 0);
});

test("an edit in one window shows in the other, and one of them syncs", async () => {
  const { open, line } = await newPerson();
  const [first, second] = [await open(), await open()];
  await first.edit("Created", [createTask({ id: "one", title: "One" })]);
  await until(() => second.state().tasks.size === 1);
  expect(second.state().tasks.get("one")?.title).toBe("One");
  await until(() => second.state().waiting === 0 && second.state().sync.kind === "idle");
  expect(line.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
});

test("a window pushes its edit while the other waits for news", async () => {
  const { open, line } = await newPerson();
  const [first, second] = [await open(), await open()];
  first.live();
  await until(() => line.calls.some((call) => call.includes("wait=25")));
  second.live();
  await second.edit("Created", [createTask({ id: "one", title: "One" })]);
  expect(
    await until(() => first.state().waiting === 0 && first.state().tasks.size === 1),
  ).toBeLessThan(5_000);
  await first.edit("Renamed", [setTask("one", { title: "Two" })]);
  await until(
    () => second.state().tasks.get("one")?.title === "Two" && second.state().waiting === 0,
  );
});

test("edits of the same task in two windows at once are both there", async () => {
  const { open } = await newPerson();
  const [first, second] = [await open(), await open()];
  await first.edit("Created", [createTask({ id: "one", title: "One" })]);
  await Promise.all([
    first.edit("Renamed", [setTask("one", { title: "Two" })]),
    second.edit("Due", [setTask("one", { due: "2026-12-01" })]),
  ]);
  await Promise.all([first.sync(), second.sync()]);
  await until(() => first.state().tasks.get("one")?.due === "2026-12-01");
  for (const client of [first, second])
    expect(client.state().tasks.get("one")).toMatchObject({ title: "Two", due: "2026-12-01" });
});

test("signing out keeps what waits, unless it may go", async () => {
  const { open, line } = await newPerson();
  const client = await open();
  line.fate = "request lost";
  await client.edit("Created", [createTask({ id: "one", title: "One" })]);
  expect(await client.signOut({ evenIfWaiting: false })).toBe(false);
  expect(titlesIn(client)).toEqual(["One"]);
  expect(await client.signOut({ evenIfWaiting: true })).toBe(true);
  expect(titlesIn(client)).toEqual([]);
  expect(titlesIn(await open())).toEqual([]);
});

test("signing out erases the store in all windows", async () => {
  const { open } = await newPerson();
  const [first, second] = [await open(), await open()];
  await first.edit("Created", [createTask({ id: "one", title: "One" })]);
  await first.sync();
  await until(() => second.state().tasks.size === 1);
  expect(await first.signOut({ evenIfWaiting: false })).toBe(true);
  await until(() => second.state().sync.kind === "signed-out");
  expect(titlesIn(second)).toEqual([]);
  expect(second.edit("Created", [createTask({ id: "two", title: "Two" })])).rejects.toThrow();
  expect(titlesIn(await open())).toEqual([]);
});

test("two people at one computer never see each other's tasks", async () => {
  const { open, browser, address, line } = await newPerson();
  const ann = await open();
  await ann.edit("Created", [createTask({ id: "one", title: "Ann's" })]);
  await ann.sync();
  line.fate = "request lost";
  const bob = await openWindow(line, address, { browser, account: "2" });
  expect(titlesIn(bob)).toEqual([]);
  await bob.edit("Created", [createTask({ id: "one", title: "Bob's" })]);
  expect([titlesIn(ann), titlesIn(bob)]).toEqual([["Ann's"], ["Bob's"]]);
});

test("a window of an older version asks to be reloaded when a newer one opens", async () => {
  const { open, browser, address } = await newPerson();
  const client = await open();
  const name = `docket ${address} 1`;
  const heard: unknown[] = [];
  const newer = browser.channel(name, (message) => heard.push(message));
  newer.tell({ kind: "hello", version: 0 });
  await Bun.sleep(10);
  expect(client.state().mustReload).toBe(false);
  expect(heard).toEqual([{ kind: "hello", version: WINDOW_VERSION }]);
  newer.tell({ kind: "hello", version: WINDOW_VERSION + 1 });
  await until(() => client.state().mustReload);
});

test("a window whose call for news hangs, and does not heed being ended, gives way all the same", async () => {
  const { open, line } = await newPerson();
  const client = await open();
  // As when the app fetches its token again over a line that died.
  line.instead = (path) => (path.includes("wait=") ? new Promise(() => {}) : null);
  client.live();
  await until(() => line.calls.some((call) => call.includes("wait=25")));
  const other = await open();
  let isDone = false;
  void other.sync().then(() => {
    isDone = true;
  });
  await until(() => isDone);
  // It may have begun to sync once more.
  await until(() => other.state().sync.kind === "idle");
});
