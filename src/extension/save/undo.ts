import type { Edit } from "../../client/edit.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { childId } from "../../domain/tasks/child.ts";
import { browser } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/turn.ts";
import { wakeToPush } from "../core/wake.ts";
import { type LastSave, lastSave } from "./last.ts";

/**
 * Takes the last save back: its tabs leave the task, a task that it made is deleted unless something else was added to
 * it, and tabs that it closed are opened again. Does nothing the second time.
 */
export const undoSave = (): Promise<void> =>
  inTurn(async () => {
    const last = await lastSave.read();
    const client = await currentClient();
    if (last === null || last.accountId !== client.account.id) return;
    await reopenClosed(last);
    await wakeToPush();
    await client.edit("Save undone", [takeBack(last)]);
    await lastSave.forget();
  });

const takeBack =
  (last: LastSave): Edit =>
  async (desk) => {
    const task = await desk.read("sync_tasks", last.taskId);
    if (task === null) return;
    const left = withoutAdded(task, last);
    if (last.isNew && isEmpty(left)) await desk.remove("sync_tasks", last.taskId);
    else await desk.write("sync_tasks", last.taskId, left);
  };

/** Returns a task without what a save added to it. A group that another tab has joined since stays. */
export const withoutAdded = (
  task: Payload,
  { tabIds, groupIds }: Pick<LastSave, "groupIds" | "tabIds">,
): Payload => {
  const pages = listField(task, "pages").filter((page) => !tabIds.includes(idOf(page) ?? ""));
  const used = pages.flatMap((page) => (isObject(page) ? (textField(page, "group") ?? []) : []));
  const isLeft = (group: unknown): boolean => {
    const id = idOf(group) ?? "";
    return !groupIds.includes(id) || used.includes(id);
  };
  const groups = listField(task, "groups");
  return { ...task, pages, ...(groups.length > 0 ? { groups: groups.filter(isLeft) } : {}) };
};

const idOf = (item: unknown): string | null => (isObject(item) ? childId(item) : null);

const isEmpty = (task: Payload): boolean =>
  listField(task, "pages").length === 0 && listField(task, "notes").length === 0;

/** Opens the closed tabs again. One that is open already, because an earlier try was interrupted, is left alone. */
const reopenClosed = async ({ closed }: LastSave): Promise<void> => {
  if (closed.length === 0) return;
  const [here] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (!here) return;
  const open = new Set((await browser.tabs.query({})).map(({ url }) => url));
  for (const { url } of closed)
    if (!open.has(url)) await browser.tabs.create({ url, active: false, windowId: here.windowId });
};
