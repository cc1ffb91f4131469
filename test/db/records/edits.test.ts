import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Editor } from "../../../src/domain/people/account.ts";
import { payloadOf, type RecordRow } from "../../../src/domain/records/row.ts";
import type { TaskPatch } from "../../../src/domain/tasks/content.ts";
import { listField, type Payload } from "../../../src/domain/base/payload.ts";
import { Refusal } from "../../../src/domain/base/refusal.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { refused } from "../../support/refused.ts";
import { taskPayloads } from "../../support/db/payloads.ts";
import {
  BOT,
  PHONE,
  accountFor,
  openForTest,
  pushTask,
  recordOf,
  type TestStore,
  taskRow,
} from "../../support/db/store.ts";
import { addNote, createTask, fileTabs, patchTask, pushChanges } from "../../support/rules.ts";

const patch = (
  store: TestStore,
  accountId: number,
  fields: TaskPatch,
  actor: Editor = BOT,
  now = NOON,
) => patchTask(store, accountId, "t1", { patch: fields, ifMatch: null }, actor, now);

type Edit =
  | { readonly do: "note" }
  | { readonly do: "patch"; readonly fields: TaskPatch }
  | { readonly do: "tabs"; readonly count: number };

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ do: fc.constant("note" as const) }),
  fc.record({ do: fc.constant("tabs" as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    do: fc.constant("patch" as const),
    fields: fc.record(
      {
        title: fc.string({ minLength: 1, maxLength: 5 }),
        status: fc.constantFrom("done", "todo"),
        colour: fc.option(fc.string({ maxLength: 5 })),
        folder: fc.constant(null),
        bucket_id: fc.constant(null),
      },
      { requiredKeys: [] },
    ),
  }),
);

/** The fields that an edit of the payload may have changed. */
const touchedBy = (edit: Edit): readonly string[] => {
  if (edit.do === "note") return ["notes"];
  if (edit.do === "tabs") return ["pages"];
  return Object.keys(edit.fields).map((field) => (field === "folder" ? "project_id" : field));
};

const perform = (store: TestStore, accountId: number, edit: Edit): Promise<RecordRow> => {
  switch (edit.do) {
    case "note":
      return addNote(store, accountId, "t1", "oat", BOT, NOON);
    case "tabs": {
      const tabs = Array.from({ length: edit.count }, (_, at) => ({
        url: `https://${at}/`,
        title: null,
      }));
      return fileTabs(store, accountId, "t1", tabs, BOT, NOON);
    }
    case "patch":
      return patch(store, accountId, edit.fields);
  }
};

const without = (payload: Payload, fields: readonly string[]) =>
  Object.entries(payload).filter(([name]) => !fields.includes(name));

test("Fields that an edit does not name survive it, whatever the payload holds", async () => {
  const store = await openForTest();
  let people = 0;
  const property = fc.asyncProperty(
    taskPayloads,
    fc.array(edits, { minLength: 1, maxLength: 5 }),
    async (pushed, wanted) => {
      const accountId = await accountFor(store, `p${(people += 1)}@example.org`);
      // A key cannot see a task in the trash.
      const payload = { ...pushed, bucket_id: null };
      await pushChanges(store, accountId, null, [recordOf("t1", NOON, payload)], NOON);
      for (const edit of wanted) {
        const before = await taskRow(store, accountId, "t1");
        const outcome = await perform(store, accountId, edit).catch((error: unknown) => error);
        const after = await taskRow(store, accountId, "t1");
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(Refusal);
          expect(after).toEqual(before);
          continue;
        }
        const [then, now] = [payloadOf(before), payloadOf(after)];
        expect(without(now, touchedBy(edit))).toEqual(without(then, touchedBy(edit)));
        for (const list of ["pages", "notes"]) {
          const old = listField(then, list);
          expect(listField(now, list).slice(0, old.length)).toEqual([...old]);
        }
      }
    },
  );
  await fc.assert(property, cases(150));
});

test("An edit is stored with the time now, or one millisecond above what a device ahead of time had stored", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  expect(await patch(store, ann, { title: "a" }, BOT, NOON + 50)).toMatchObject({
    updated: NOON + 50,
    updatedAt: "2026-03-04T12:00:00.050Z",
  });
  expect(await patch(store, ann, { title: "b" }, BOT, NOON)).toMatchObject({ updated: NOON + 51 });
});

test("An edit that changes nothing leaves the row as it is, stamps included", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const made = await createTask(store, ann, { title: "a", tabs: [], notes: [] }, BOT, NOON);
  const same = { title: "a", status: "todo", colour: null, folder: null, bucket_id: null };
  for (const fields of [{}, { title: "a" }, same]) {
    const change = { patch: fields, ifMatch: null };
    expect(await patchTask(store, ann, made.id, change, BOT, NOON + 60_000)).toEqual(made);
  }
});

test("An edit keeps the task's author and what a device pushed last", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON);
  const pushed = await taskRow(store, ann, "t1");
  const edited = await patch(store, ann, { title: "b" });
  expect(edited).toMatchObject({ createdBy: "person", createdByKey: null, createdAt: NOON });
  expect(pushed.pushedAt).not.toBeNull();
  expect(edited.pushedAt).toBe(pushed.pushedAt);
  expect(edited.changedAt).toBeGreaterThan(pushed.changedAt);
});

test("What a key created stays the key's when a person edits it, over REST or on a device", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  const { id } = await createTask(store, ann, { title: "a", tabs: [], notes: [] }, BOT, NOON);
  const change = { patch: { title: "b" }, ifMatch: null };
  const edited = await patchTask(store, ann, id, change, PHONE, NOON);
  expect(edited).toMatchObject({ createdBy: "agent", createdByKey: "bot" });
  await pushTask(store, ann, id, NOON + 60_000, { title: "c", created_by: "person" });
  expect(await taskRow(store, ann, id)).toMatchObject({
    title: "c",
    createdBy: "agent",
    createdByKey: "bot",
  });
});

test("An edit of a list that the extension stores in another form is refused, and nothing is changed", async () => {
  const store = await openForTest();
  const ann = await accountFor(store);
  await pushTask(store, ann, "t1", NOON, { pages: { first: "u" }, notes: "oat" });
  const before = await taskRow(store, ann, "t1");
  for (const [list, edit] of [
    ["pages", () => fileTabs(store, ann, "t1", [{ url: "u", title: null }], BOT, NOON)],
    ["notes", () => addNote(store, ann, "t1", "oat", BOT, NOON)],
  ] as const)
    expect(await refused(edit)).toEqual({
      reason: "invalid",
      message: `Docket cannot add to this task's ${list}, because the extension stores them in a format of its own. Change the task in the extension.`,
      headers: {},
    });
  expect(await taskRow(store, ann, "t1")).toEqual(before);
});
