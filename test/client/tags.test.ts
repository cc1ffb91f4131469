import { expect, test } from "bun:test";
import { addTags, createTask, removeTag } from "../../src/client/edits.ts";
import { MAX_TAGS } from "../../src/domain/tasks/task.ts";
import { newAddress, newLine, openWindow } from "../support/client/person.ts";

const openTask = async () => {
  const address = newAddress();
  const client = await openWindow(
    newLine(() => address, "no token"),
    address,
  );
  await client.edit("Task added", [createTask({ id: "1", title: "Roof" })]);
  const tags = () => client.state().tasks.get("1")?.tags;
  return { tags, edit: client.edit };
};

test("tags that are typed faster than they are saved are all added, each in its first spelling", async () => {
  const { edit, tags } = await openTask();
  await Promise.all([
    edit("Tags changed", [addTags("1", ["Home"])]),
    edit("Tags changed", [addTags("1", ["hOME", "Fun"])]),
    edit("Tags changed", [addTags("1", ["FUN"])]),
  ]);
  expect(tags()).toEqual(["Home", "Fun"]);
});

test("a tag is taken off in any spelling", async () => {
  const { edit, tags } = await openTask();
  await edit("Tags changed", [addTags("1", ["Home", "Fun"])]);
  await edit("Tags changed", [removeTag("1", "HOME")]);
  expect(tags()).toEqual(["Fun"]);
});

test("more tags than a task may have are refused in one piece, and say what to do", async () => {
  const { edit, tags } = await openTask();
  const all = Array.from({ length: MAX_TAGS }, (_, at) => `tag ${at}`);
  await edit("Tags changed", [addTags("1", all)]);
  const more = edit("Tags changed", [addTags("1", ["one more"])]);
  expect(more).rejects.toThrow("Remove one first");
  await more.catch(() => undefined);
  await edit("Tags changed", [addTags("1", ["TAG 7"])]);
  expect(tags()).toEqual(all);
});
