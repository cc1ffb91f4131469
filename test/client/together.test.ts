import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Client } from "../../src/client/client.ts";
import {
  addNote,
  addTabs,
  createBucket,
  createFolder,
  createTask,
  moveTabs,
  remove,
  removeNotes,
  removeTabs,
  setBucket,
  setFolder,
  setTab,
  setTask,
} from "../../src/client/edits.ts";
import type { Edit } from "../../src/client/edit.ts";
import { groupTabs, putGroup, setGroup } from "../../src/client/groups.ts";
import { putBack } from "../../src/client/lost.ts";
import {
  typeGroupName,
  typeNewNote,
  typeNote,
  typeTabTitle,
  typeTitle,
} from "../../src/client/typed.ts";
import { NotPossible } from "../../src/client/state.ts";
import { startInProcess } from "../model/witness/server.ts";
import { ask } from "../model/witness/wire.ts";
import { type Line, newAddress, newLine, openWindow } from "../support/client/person.ts";
import { cases } from "../support/random.ts";

// Two browsers of one person edit the same tasks, at the same time. By the specification the later push of a record
// replaces the whole of the earlier one. The core makes its edits again on the version that the server has.

const server = await startInProcess(Date.parse("2026-03-04T12:00:00.000Z"));
afterAll(() => server.end());

const pass = (ms: number): void => server.set(server.now() + ms);

type Side = { readonly client: Client; readonly line: Line };

/** Two browsers with one account. Both hold the tasks "one" and "two". */
const newPair = async () => {
  const person = await server.person(["here", "there"], ["bot"]);
  const side = async (name: string): Promise<Side> => {
    const line = newLine(server.url, person.sessions.get(name) ?? "");
    return { line, client: await openWindow(line, newAddress(), { now: server.now }) };
  };
  const [here, there] = [await side("here"), await side("there")];
  await here.client.edit("Created", [
    createTask({ id: "one", title: "One", tabs: [tab("a"), tab("b")] }),
    createTask({ id: "two", title: "Two" }),
  ]);
  await here.client.sync();
  await there.client.sync();
  pass(1_000);
  const agent = (path: string, body: unknown) =>
    ask(server.url(), person.keys.get("bot")?.secret ?? "", "POST", path, body);
  return { here, there, agent };
};

const tab = (id: string) => ({ id, url: `https://${id}.example/` });

const edit = async ({ client }: Side, ...edits: readonly Edit[]): Promise<void> => {
  pass(1_000);
  await client.edit("An edit", edits);
};

/** Returns false if what is edited is not there any more: a sync has taken it away since the person saw it. */
const tryEdit = async (side: Side, one: Edit): Promise<boolean> => {
  try {
    await edit(side, one);
    return true;
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    return false;
  }
};

const settle = async (...sides: readonly Side[]): Promise<void> => {
  for (const { client, line } of [...sides, ...sides]) {
    line.fate = "answered";
    await client.sync();
    expect(client.state()).toMatchObject({ waiting: 0, refused: [], sync: { kind: "idle" } });
  }
};

const tabsIn = ({ client }: Side, task = "one"): readonly (string | null)[] =>
  (client.state().tasks.get(task)?.tabs ?? []).map(({ id }) => id);

test("tabs that two browsers add to one task at the same time all stay, in both", async () => {
  const { here, there, agent } = await newPair();
  await edit(here, addTabs("one", [tab("here")]));
  await edit(there, addTabs("one", [tab("there")]));
  await agent("/tasks/one/notes", { text: "by an agent" });
  await settle(here, there);
  for (const side of [here, there]) {
    expect(tabsIn(side)).toEqual(["a", "b", "here", "there"]);
    expect(side.client.state().tasks.get("one")?.notes).toHaveLength(1);
  }
});

test("a tab that one browser removes stays away, while the other adds one", async () => {
  const { here, there } = await newPair();
  await edit(here, removeTabs("one", ["a"]));
  await edit(there, addTabs("one", [tab("c")]));
  await settle(here, there);
  expect(tabsIn(here)).toEqual(["b", "c"]);
  expect(tabsIn(there)).toEqual(["b", "c"]);
});

const notesIn = ({ client }: Side, task = "one"): readonly string[] =>
  (client.state().tasks.get(task)?.notes ?? []).map(({ text }) => text);

/** Two browsers that hold a note of task "one", which says `text`. */
const withNote = async (text: string) => {
  const pair = await newPair();
  await edit(pair.here, addNote("one", { id: "n", text }));
  await settle(pair.here, pair.there);
  return pair;
};

test("what two browsers write into one note at the same time all stays, in both", async () => {
  const { here, there } = await withNote("milk\neggs\nbread");
  await edit(
    here,
    typeNote("one", "n", { was: "milk\neggs\nbread", now: "oat milk\neggs\nbread" }),
  );
  await edit(
    there,
    typeNote("one", "n", { was: "milk\neggs\nbread", now: "milk\neggs\nrye bread" }),
  );
  await settle(there, here);
  for (const side of [here, there]) expect(notesIn(side)).toEqual(["oat milk\neggs\nrye bread"]);
});

test("of a line of a note that two browsers rewrote, both versions stay", async () => {
  const { here, there } = await withNote("call at noon");
  await edit(here, typeNote("one", "n", { was: "call at noon", now: "call at one" }));
  await edit(there, typeNote("one", "n", { was: "call at noon", now: "call at two" }));
  await settle(here, there);
  for (const side of [here, there]) expect(notesIn(side)).toEqual(["call at two\ncall at one"]);
});

test("two browsers add words to one title: all stay", async () => {
  const { here, there } = await newPair();
  await edit(here, typeTitle("one", { was: "One", now: "Big One" }));
  await edit(there, typeTitle("one", { was: "One", now: "One for Bob" }));
  await settle(here, there);
  for (const { client } of [here, there])
    expect(client.state().tasks.get("one")?.title).toBe("Big One for Bob");
});

test("two windows add words to one tab's title, or to a group's name: all stay", async () => {
  const { here } = await newPair();
  await edit(here, addTabs("one", [{ id: "p", url: "https://boat.example/", title: "Boat" }]));
  await edit(here, putGroup("one", { id: "g", title: "Trip" }));
  for (const word of ["AAA", "BBB"]) {
    // As the window saw it: without what the other one has written.
    await edit(here, typeTabTitle("one", "p", { was: "Boat", now: `Boat ${word}` }));
    await edit(here, typeGroupName("one", "g", { was: "Trip", now: `Trip ${word}` }));
  }
  const { tabs, groups } = here.client.state().tasks.get("one") ?? {};
  expect(tabs?.at(-1)?.title).toBe("Boat AAA BBB");
  expect(groups?.map(({ title }) => title)).toEqual(["Trip AAA BBB"]);
  await edit(here, typeTabTitle("one", "p", { was: "Boat AAA BBB", now: " " }));
  expect(here.client.state().tasks.get("one")?.tabs.at(-1)?.title).toBe("https://boat.example/");
});

test("what is typed over a text that has changed meanwhile leaves both changes, or says what it replaced", async () => {
  const { here } = await withNote("start");
  const lost: string[] = [];
  const onLost = (theirs: string) => void lost.push(theirs);
  await edit(here, typeNote("one", "n", { was: "start", now: "start AAA" }));
  await edit(here, typeNote("one", "n", { was: "start", now: "start BBB", onLost }));
  expect(notesIn(here)).toEqual(["start AAA BBB"]);
  await edit(here, typeTitle("one", { was: "One", now: "Two" }));
  await edit(here, typeTitle("one", { was: "One", now: "Three", onLost }));
  expect(here.client.state().tasks.get("one")?.title).toBe("Three");
  expect(lost).toEqual(["Two"]);
});

test("a note that is typed into after another device deleted it, or its task, is there again", async () => {
  const { here, there } = await withNote("start");
  await edit(there, removeNotes("one", ["n"]));
  await settle(there, here);
  expect(notesIn(here)).toEqual([]);
  await edit(here, typeNote("one", "n", { was: "start", now: "start, and more" }));
  expect(notesIn(here)).toEqual(["start, and more"]);
  await edit(there, remove("sync_tasks", "one"));
  await settle(there, here);
  expect(here.client.state().tasks.has("one")).toBeFalse();
  await edit(here, typeNewNote("one", "another"));
  await settle(here, there);
  for (const side of [here, there]) expect(notesIn(side)).toEqual(["start, and more", "another"]);
});

test("of two titles the later one stays, whichever arrives first", async () => {
  const { here, there } = await newPair();
  await edit(here, setTask("one", { title: "Earlier", due: "2026-03-05" }));
  await edit(there, setTask("one", { title: "Later" }));
  await settle(there, here);
  for (const { client } of [here, there])
    expect(client.state().tasks.get("one")).toMatchObject({ title: "Later", due: "2026-03-05" });
});

test.each([
  ["the earlier one", "here", "there"],
  ["the later one", "there", "here"],
] as const)(
  "of two titles the one that gave way waits for the person's choice if %s arrives first",
  async (_name, first, second) => {
    const sides = await newPair();
    const { here, there } = sides;
    here.line.fate = there.line.fate = "request lost";
    await edit(
      here,
      typeTitle("one", { was: "One", now: "Earlier" }),
      setTab("one", "a", { title: "A1" }),
    );
    await edit(
      there,
      typeTitle("one", { was: "One", now: "Later" }),
      setTab("one", "b", { title: "B2" }),
    );
    await settle(sides[first], sides[second]);
    const gaveWay = {
      table: "sync_tasks",
      id: "one",
      place: "title",
      kept: "Later",
      text: "Earlier",
    } as const;
    expect(sides[first].client.state().lost).toEqual([]);
    const { client } = sides[second];
    expect(client.state().lost).toEqual([gaveWay]);
    await edit(sides[second], putBack(gaveWay));
    expect(client.state().lost).toEqual([]);
    await edit(sides[second], setTask("one", { title: "Other" }));
    expect(client.state().lost).toEqual([{ ...gaveWay, kept: "Other" }]);
    await client.forgetLost(gaveWay);
    expect(client.state().lost).toEqual([]);
  },
);

test("of the names of a tab, a group, a folder and a column, those that gave way wait for the person's choice", async () => {
  const { here, there } = await newPair();
  await edit(
    here,
    setTab("one", "a", { title: "Start" }),
    groupTabs("one", ["a"], { id: "g", title: "Start", colour: "blue" }),
    createFolder({ id: "home", name: "Start" }),
    createBucket({ id: "later", name: "Start" }),
  );
  await settle(here, there);
  here.line.fate = there.line.fate = "request lost";
  const rename = (side: Side, name: string) =>
    edit(
      side,
      setTab("one", "a", { title: name }),
      setGroup("one", "g", { title: name }),
      setFolder("home", { name }),
      setBucket("later", { name }),
    );
  await rename(here, "Mine");
  await rename(there, "Theirs");
  await settle(there, here);
  const { lost } = here.client.state();
  expect(lost.map(({ place, text, kept }) => [place, text, kept]).toSorted()).toEqual([
    ["groups g", "Mine", "Theirs"],
    ["name", "Mine", "Theirs"],
    ["name", "Mine", "Theirs"],
    ["pages a", "Mine", "Theirs"],
  ]);
  await edit(here, ...lost.map(putBack));
  await settle(here, there);
  const { tasks, folders, buckets } = there.client.state();
  expect(tasks.get("one")).toMatchObject({
    tabs: [{ title: "Mine" }, {}],
    groups: [{ title: "Mine" }],
  });
  expect([folders.get("home")?.name, buckets.get("later")?.name]).toEqual(["Mine", "Mine"]);
});

test.each([
  ["the earlier one", "here", "there"],
  ["the later one", "there", "here"],
] as const)(
  "of two titles the later one stays if its task is edited again and %s arrives first",
  async (_name, first, second) => {
    const { agent, ...sides } = await newPair();
    await edit(sides.here, setTask("one", { title: "Earlier" }));
    await edit(sides.there, setTask("one", { title: "Later" }));
    await edit(sides.here, setTask("one", { due: "2026-03-05" }));
    // The edit that arrives first gets a later time than it was made, since it is made again on what the agent did.
    pass(1_000);
    await agent("/tasks/one/notes", { text: "by an agent" });
    await settle(sides[first], sides[second]);
    for (const { client } of [sides.here, sides.there])
      expect(client.state().tasks.get("one")).toMatchObject({ title: "Later", due: "2026-03-05" });
  },
);

test("an edit that never reached the server and is replaced keeps its own time", async () => {
  const { here, there } = await newPair();
  await edit(here, setTask("one", { title: "Earlier" }));
  // It is marked as sent, and nobody knows whether it arrived.
  here.line.fate = "request lost";
  await here.client.sync();
  await edit(there, setTask("one", { title: "Later" }));
  await settle(there);
  await edit(here, setTask("one", { due: "2026-03-05" }));
  await settle(here, there);
  for (const { client } of [here, there])
    expect(client.state().tasks.get("one")).toMatchObject({ title: "Later", due: "2026-03-05" });
});

test("a tab that is renamed here and removed there stays, with its new name", async () => {
  const { here, there } = await newPair();
  await edit(here, setTab("one", "a", { title: "Renamed" }));
  await edit(there, removeTabs("one", ["a"]));
  await settle(there, here);
  expect(there.client.state().tasks.get("one")?.tabs).toMatchObject([
    { id: "a", title: "Renamed" },
    { id: "b" },
  ]);
});

test("a task that is deleted here comes back if a tab is saved into it there afterwards", async () => {
  const { here, there } = await newPair();
  await edit(here, remove("sync_tasks", "one"));
  await edit(there, addTabs("one", [tab("late")]));
  await settle(here, there);
  expect(tabsIn(here)).toEqual(["a", "b", "late"]);
  expect(tabsIn(there)).toEqual(["a", "b", "late"]);
});

test("a tab that is taken out elsewhere does not come back when a push whose reply was lost is sent again", async () => {
  const { here, there } = await newPair();
  await edit(here, addTabs("one", [tab("sent")]));
  here.line.fate = "reply lost";
  await here.client.sync();
  await there.client.sync();
  await edit(there, removeTabs("one", ["sent", "a"]));
  await there.client.sync();
  await edit(here, addTabs("one", [tab("more")]));
  await settle(here, there);
  expect(tabsIn(here)).toEqual(["b", "more"]);
  expect(tabsIn(there)).toEqual(["b", "more"]);
});

test.each([
  ["a person", "here"],
  ["a person", "there"],
  ["an agent", "here"],
  ["an agent", "there"],
] as const)(
  "a tab that %s moves back while the task it left still shows it stays if %s syncs first",
  async (who, first) => {
    const { here, there, agent } = await newPair();
    await edit(here, addTabs("one", [tab("c")]));
    await here.client.sync();
    // The server has a later version of the task that the tab leaves: of this push it takes the other task alone.
    there.line.meanwhile = async () => void (there.line.fate = "request lost");
    await edit(there, moveTabs("one", ["a"], "two"));
    await there.client.sync();
    await here.client.sync();
    expect([tabsIn(here), tabsIn(here, "two")]).toEqual([["a", "b", "c"], ["a"]]);
    here.line.fate = "request lost";
    if (who === "a person") await edit(here, moveTabs("two", ["a"], "one"));
    else await agent("/tasks/one/tabs/move", { from: "two", tabs: ["a"] });
    there.line.meanwhile = async () => {};
    await settle(...(first === "here" ? [here, there] : [there, here]));
    for (const side of [here, there])
      expect([tabsIn(side).toSorted(), tabsIn(side, "two")]).toEqual([["a", "b", "c"], []]);
  },
);

const ACTS = [
  "add",
  "remove",
  "move",
  "title",
  "sync",
  "lose",
  "lose the request",
  "file",
] as const;

const act = fc.record({
  who: fc.constantFrom("here", "there"),
  what: fc.constantFrom(...ACTS),
  pick: fc.nat(100),
});

test("whatever two browsers and an agent do, every tab that nobody removed is in one task, in both", async () => {
  let count = 0;
  const play = async (acts: readonly (typeof act extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const { agent, ...sides } = await newPair();
    const kept = new Set(["a", "b"]);
    const moved = new Set<string>();
    for (const { who, what, pick } of acts) {
      const side = sides[who as "here" | "there"];
      const [from, to] = pick % 2 === 0 ? ["one", "two"] : ["two", "one"];
      const some = tabsIn(side, from);
      const chosen = some[pick % Math.max(1, some.length)];
      switch (what) {
        case "add": {
          const id = `t${(count += 1)}`;
          kept.add(id);
          await edit(side, addTabs(from, [tab(id)], pick % (some.length + 1)));
          break;
        }
        case "remove":
          if (chosen == null) break;
          if (await tryEdit(side, removeTabs(from, [chosen]))) kept.delete(chosen);
          break;
        case "move":
          if (chosen == null) break;
          moved.add(chosen);
          await tryEdit(side, moveTabs(from, [chosen], to));
          break;
        case "title":
          await edit(side, setTask(from, { title: `Title ${pick}` }));
          break;
        case "file": {
          pass(1_000);
          await agent(`/tasks/${from}/notes`, { text: "A note" });
          break;
        }
        default:
          side.line.fate =
            what === "sync" ? "answered" : what === "lose" ? "reply lost" : "request lost";
          await side.client.sync();
      }
    }
    await settle(sides.here, sides.there);
    const there = new Set([...tabsIn(sides.here), ...tabsIn(sides.here, "two")]);
    expect([...kept].filter((id) => !there.has(id))).toEqual([]);
    expect(["one", "two"].map((task) => tabsIn(sides.there, task))).toEqual(
      ["one", "two"].map((task) => tabsIn(sides.here, task)),
    );
    // Moved by the one and removed by the other at the same time, a tab may stay.
    expect([...there].filter((id) => id !== null && !kept.has(id) && !moved.has(id))).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(fc.array(act, { maxLength: 14 }), play), cases(150));
});
