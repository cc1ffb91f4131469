import { expect, test } from "bun:test";
import { CAT } from "../../support/db/past.ts";
import { A, B, summaryOf, undoWorld } from "../../support/db/undo.ts";

const OWN = { id: "own", url: "https://own.example/", title: "Own" };

test("A folder that a key created stays as long as a task is in it, and is deleted once it is empty", async () => {
  const { device, undo, patch, folder, payload, row } = await undoWorld();
  const phone = device("phone");
  const [home, work] = [await folder("Home"), await folder("Work")];
  await phone.push("t1", { project_id: home });
  await phone.push("t2", { title: "b" });
  await patch("t2", { project_id: work });
  expect(summaryOf(await undo())).toEqual([
    "b project_id undone",
    "Work made undone",
    "Home made changed",
  ]);
  const alive = async (id: string) => (await row(id, "sync_projects")).deletedAt === null;
  expect([await alive(home), await alive(work)]).toEqual([true, false]);
  expect((await payload("t2"))["project_id"]).toBeNull();
  await phone.push("t1", { project_id: null });
  expect(summaryOf(await undo())).toEqual(["Home made undone"]);
});

test("A folder stays if an undo returns a task to it, and the preview says so", async () => {
  const { device, undo, patch, folder, payload, row } = await undoWorld();
  const [home, work] = [await folder("Home"), await folder("Work")];
  await device("phone").push("t1", { title: "a", project_id: home });
  await patch("t1", { project_id: work });
  expect(summaryOf(await undo())).toEqual([
    "a project_id undone",
    "Work made undone",
    "Home made changed",
  ]);
  expect((await payload("t1"))["project_id"]).toBe(home);
  expect((await row(home, "sync_projects")).deletedAt).toBeNull();
});

test.each<[string, (tab: typeof A, at: number) => unknown]>([
  ["rewrote the ids", ({ url, title }, at) => ({ id: `own-${at}`, url, title })],
  ["dropped all fields but its own", ({ url, title }) => ({ url, title })],
  ["keeps only URLs", ({ url }) => url],
])("A key's tabs are undone even if the extension %s", async (_name, form) => {
  const { device, undo, file, payload, tabs } = await undoWorld();
  const phone = device("phone");
  await phone.push("t1", { title: "Read", pages: [A, OWN] });
  await file("t1", A);
  await file("t1", B, CAT);
  await file("t1", B);
  await phone.pull();
  const pages = ((await payload("t1"))["pages"] as (typeof A)[]).map(form);
  await phone.push("t1", { title: "Read", pages });
  expect((await tabs("t1")).map((text) => text.split(": ")[1])).toEqual([
    "person",
    "person",
    "bot",
    "cat",
    "bot",
  ]);
  await undo();
  expect((await tabs("t1")).map((text) => text.split(": ")[1])).toEqual([
    "person",
    "person",
    "cat",
  ]);
  expect(summaryOf(await undo())).toEqual([]);
});
