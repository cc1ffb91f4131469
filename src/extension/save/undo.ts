import type { Edit } from "../../client/edit.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { childId } from "../../domain/tasks/child.ts";
import { browser, type Tab } from "../browser/api.ts";
import { keptForSession } from "../browser/kept.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/turn.ts";
import { wakeToPush } from "../core/wake.ts";
import { asleep } from "../reopen/sleep.ts";
import { forgetClosing, stillClosing } from "./close.ts";
import { type LastSave, lastSave } from "./last.ts";
import { urlOf } from "./tabs.ts";

/**
 * Takes the last save back: its tabs leave the task, a task that it made is deleted unless something else was added to
 * it, and tabs that it closed are opened again. Does nothing the second time. The worker may be stopped at any moment.
 * Asked again with the same `key`, it goes on where it was.
 */
export const undoSave = (key: string): Promise<void> =>
  inTurn(async () => {
    const last = await lastSave.read();
    const client = await currentClient();
    if (last === null || last.accountId !== client.account.id) return;
    const before = await tabsBefore(key, last.key);
    // It was done, and something else was saved since.
    if (before === null) return;
    await forgetClosing();
    await reopenClosed(last, before);
    await wakeToPush();
    await client.edit("Save undone", [takeBack(last)]);
    await lastSave.forget();
  });

/** An undo that has begun: which save it takes back, and the tabs that were open by then. */
const undoing = keptForSession("undoing", (stored) => ({
  key: isObject(stored) ? textField(stored, "key") : null,
  save: isObject(stored) ? textField(stored, "save") : null,
  tabs: isObject(stored) ? listField(stored, "tabs") : [],
}));

/** Returns the tabs that were open when this undo began; null if it was of another save. */
const tabsBefore = async (key: string, save: string): Promise<readonly unknown[] | null> => {
  const begun = await undoing.read();
  if (begun.key === key) return begun.save === save ? begun.tabs : null;
  // Those that are still to be closed count as closed: they stay open, and are not opened twice.
  const left = await stillClosing();
  const open = (await browser.tabs.query({})).flatMap(({ id }) => id ?? []);
  const tabs = open.filter((id) => !left.includes(id));
  await undoing.write({ key, save, tabs });
  return tabs;
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

/**
 * Opens the closed tabs again, and notes after each that it is open. One that has come since `before` is not opened
 * again: the worker was stopped before it could note that.
 */
const reopenClosed = async (last: LastSave, before: readonly unknown[]): Promise<void> => {
  if (last.closed.length === 0) return;
  const [here] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  const now = await browser.tabs.query({});
  const came = now.filter(({ id }) => !before.includes(id)).map(urlOf);
  const place = here ?? now[0];
  for (const [at, { url, title }] of last.closed.entries()) {
    const known = came.indexOf(url);
    if (known >= 0) came.splice(known, 1);
    else await browser.tabs.create({ url, active: false, ...inWindow(place), ...asleep(title) });
    await lastSave.write({ ...last, closed: last.closed.slice(at + 1) });
  }
};

const inWindow = (tab: Tab | undefined) => (tab ? { windowId: tab.windowId } : {});
