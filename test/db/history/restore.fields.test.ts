import { expect, test } from "bun:test";
import { annsRecords } from "../../support/db/past.ts";
import { restoreVersion } from "../../support/rules.ts";

test.each([
  ["sync_tasks", { title: "a" }, { title: "b" }],
  ["sync_tasks", { status: "todo" }, { status: "done" }],
  ["sync_tasks", { colour: null }, { colour: "red" }],
  ["sync_tasks", { project_id: "p1" }, {}],
  ["sync_tasks", { bucket_id: "b1" }, { bucket_id: "trash" }],
  ["sync_projects", { name: "Home" }, { name: "Work" }],
  ["sync_buckets", { kind: "inbox" }, { kind: "trash" }],
] as const)(
  "A field of %s that a person restored stays when a device pushes what it knows: %j",
  async (table, first, then) => {
    const { store, ann, now, device, past, payload } = await annsRecords();
    const [phone, laptop] = [device("phone"), device("laptop")];
    await phone.push("r1", first, { table });
    await phone.push("r1", then, { table });
    await laptop.pull();
    const [step] = await past("r1", table);
    await restoreVersion(store, ann, step?.version.id ?? 0, now());
    await laptop.push("r1", { ...then, mood: 1 }, { table });
    expect(await payload("r1", table)).toEqual({ ...then, ...first, mood: 1 });
    await laptop.pull();
    await laptop.push("r1", { ...then, mood: 2 }, { table });
    expect(await payload("r1", table)).toEqual({ ...then, mood: 2 });
  },
);

test("A restored field that a device changed to a third value keeps the device's value", async () => {
  const { store, ann, now, device, past, payload } = await annsRecords();
  const [phone, laptop] = [device("phone"), device("laptop")];
  await phone.push("t1", { title: "a" });
  await phone.push("t1", { title: "b" });
  await laptop.pull();
  const [step] = await past("t1");
  await restoreVersion(store, ann, step?.version.id ?? 0, now());
  await laptop.push("t1", { title: "c" });
  expect(await payload("t1")).toEqual({ title: "c" });
});
