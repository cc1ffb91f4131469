import type { Edit } from "../../client/edit.ts";
import { NotPossible } from "../../client/state.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { childId } from "../../domain/tasks/child.ts";
import { groupId, groupOfTab, groupsIn } from "../../domain/tasks/groups.ts";
import { browser } from "../browser/api.ts";
import { keptForSession } from "../browser/kept.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/adopt.ts";
import { wakeToPush } from "../core/wake.ts";
import { runJob } from "../reopen/work.ts";
import { forgetClosing } from "./close.ts";
import { type LastSave, lastSave } from "./last.ts";
import { savableUrl } from "./savable.ts";
import { urlOf } from "./tabs.ts";

/**
 * Takes the last save back: its tabs leave the task, a task that it made is deleted unless something else was added to
 * it, and tabs that it closed are opened again. Does nothing the second time. The worker may be stopped at any moment.
 * Asked again with the same `key`, it goes on where it was. Rejects with `NotPossible` if someone signed in or out since.
 */
export const undoSave = (key: string): Promise<void> =>
  inTurn(async () => {
    const last = await lastSave.read();
    // Without one, or with another, it was done before the worker was stopped.
    if (last === null || (await saveOf(key, last)) !== last.key) return;
    const client = await currentClient();
    if (last.accountId !== client.account.id)
      throw new NotPossible(
        "You have signed in or out since, so this save cannot be undone. What it saved is in its task.",
      );
    await forgetClosing();
    await reopenClosed(last);
    await wakeToPush();
    await client.edit("Save undone", [takeBack(last)]);
    await lastSave.forget();
  });

/** An undo that has begun: which save it takes back. */
const undoing = keptForSession("undoing", (stored) => ({
  key: isObject(stored) ? textField(stored, "key") : null,
  save: isObject(stored) ? textField(stored, "save") : null,
}));

/** Returns which save an undo takes back: the last one when it was first asked for. */
const saveOf = async (key: string, last: LastSave): Promise<string | null> => {
  const begun = await undoing.read();
  if (begun.key === key) return begun.save;
  await undoing.write({ key, save: last.key });
  return last.key;
};

const takeBack =
  (last: LastSave): Edit =>
  async (desk) => {
    const task = await desk.read("sync_tasks", last.taskId);
    if (task === null) return;
    const left = withoutAdded(task, last);
    const isDone = listField(left, "pages").length === listField(task, "pages").length;
    if (last.isNew && isEmpty(left)) await desk.remove("sync_tasks", last.taskId);
    else if (!isDone) await desk.write("sync_tasks", last.taskId, left);
  };

/** Returns a task without what a save added to it. A group that another tab has joined since stays. */
export const withoutAdded = (
  task: Payload,
  { tabIds, groupIds }: Pick<LastSave, "groupIds" | "tabIds">,
): Payload => {
  const pages = listField(task, "pages").filter((page) => !tabIds.includes(idOf(page) ?? ""));
  const used = pages.map(groupOfTab);
  const isLeft = (group: unknown): boolean => {
    const id = groupId(group);
    return id === null || !groupIds.includes(id) || used.includes(id);
  };
  const groups = groupsIn(task);
  return { ...task, pages, ...(groups.length > 0 ? { groups: groups.filter(isLeft) } : {}) };
};

const idOf = (item: unknown): string | null => (isObject(item) ? childId(item) : null);

const isEmpty = (task: Payload): boolean =>
  listField(task, "pages").length === 0 && listField(task, "notes").length === 0;

/** Opens the closed tabs again, asleep and in their groups. Those that could not be closed are still open. */
const reopenClosed = async (last: LastSave): Promise<void> => {
  const open = await browser.tabs.query({});
  const isOpen = (closed: LastSave["closed"][number]): boolean =>
    open.some((tab) => tab.id === closed.id && savableUrl(urlOf(tab)) === closed.url);
  const closed = last.closed.filter((tab) => !isOpen(tab));
  if (closed.length === 0) return;
  const key = `undo ${last.key}`;
  const { refused } = await runJob(key, async () => ({
    key,
    where: "behind",
    tabs: closed.map(({ url, title, group }) => ({
      entry: null,
      url,
      title,
      pinned: false,
      group: group === null ? null : String(group),
    })),
    groups: last.groups.map(({ id, title = "", color, collapsed = false }) => ({
      id: String(id),
      title,
      colour: color,
      collapsed,
      open: id,
    })),
    before: open.flatMap(({ id }) => id ?? []),
    refused: [],
    isDone: false,
  }));
  if (refused.length > 0)
    throw new NotPossible(`${refused.join(" ")} So all that was saved stays in its task.`);
  // Asked once more with another key, it opens nothing twice.
  await lastSave.write({ ...last, closed: [] });
};
