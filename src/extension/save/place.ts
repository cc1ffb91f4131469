import type { Client } from "../../client/client.ts";
import { isOpenTask, listTasks } from "../../client/lists.ts";
import { hasRoom } from "../../client/rank.ts";
import { isInbox, taskName } from "../../client/views.ts";
import { shortenedTo, shownName } from "../../domain/base/text.ts";
import { INBOX_TITLE, splitTitle } from "../../domain/tasks/task.ts";
import { afterSave } from "./edit.ts";
import { lastTask } from "./last.ts";
import type { Destination, Saved } from "./request.ts";
import { type Gathered, urlOf } from "./tabs.ts";
import { browser, type Tab } from "../browser/api.ts";
import { connection } from "../connect/connection.ts";
import { isOwnPage, savableTitle, savableUrl } from "./savable.ts";

/** The task that a save goes into. */
export type Target = {
  readonly id: string;
  /** Its title in the store, if the save makes it. */
  readonly title: string;
  /** What people call it. */
  readonly name: string;
  readonly isNew: boolean;
};

/** Finds the task of a place for what is to be saved, or names a new one. `newId` is the id of a new one. */
export const targetOf = async (
  client: Client,
  place: Destination,
  gathered: Gathered,
  newId: string,
): Promise<Target> => {
  switch (place.kind) {
    case "inbox":
      return inboxTarget(client, gathered, newId);
    case "last": {
      const id = await lastTask.read();
      const task = id === null ? undefined : client.state().tasks.get(id);
      return task && isOpenTask(client.state(), task) && !isInbox(task)
        ? existing(task.id, task.title)
        : inboxTarget(client, gathered, newId);
    }
    case "task":
      return existing(place.id, client.state().tasks.get(place.id)?.title ?? "");
    case "new": {
      const title = shownName(place.title.trim().toWellFormed(), "New task");
      return { id: newId, title, name: splitTitle(title).title, isNew: true };
    }
  }
};

const existing = (id: string, title: string): Target => ({
  id,
  title,
  name: taskName({ title }),
  isNew: false,
});

const INBOX = "Inbox";

/** A full inbox is left as it is, and a new one is started. */
const inboxTarget = async (client: Client, gathered: Gathered, newId: string): Promise<Target> => {
  // Before that, it is not known how much an inbox holds.
  await client.whole;
  const inboxes = listTasks(client.state(), { kind: "inbox" });
  const saving = { key: newId, now: new Date().toISOString() };
  const isMade = inboxes.some(({ id }) => id === newId);
  const inbox = inboxes.find(({ payload }) => hasRoom(afterSave(payload, gathered, saving).task));
  return inbox && !isMade
    ? existing(inbox.id, inbox.title)
    : { id: newId, title: INBOX_TITLE, name: INBOX, isNew: true };
};

const tabsIn = (tabs: readonly Tab[]): Extract<Saved, { kind: "tabs" }> => ({
  kind: "tabs",
  tabIds: tabs.flatMap(({ id }) => id ?? []),
});

/** The tab that someone pointed at. If it is one of several selected ones, all of them. */
export const pickTabs = async (tab: Tab | undefined): Promise<Saved> => {
  const [active] = tab
    ? [tab]
    : await browser.tabs.query({ active: true, lastFocusedWindow: true });
  if (!active) return tabsIn([]);
  const { windowId } = active;
  const selected = await browser.tabs.query({ highlighted: true, windowId });
  return tabsIn(selected.some(({ id }) => id === active.id) ? selected : [active]);
};

/** All tabs of the window of a tab but the extension's own pages, and a title for what is saved of them. */
export const pickWindow = async (
  tab: Tab | undefined,
): Promise<{ readonly saved: Saved; readonly title: string }> => {
  const all = await browser.tabs.query(
    tab ? { windowId: tab.windowId } : { lastFocusedWindow: true },
  );
  const tabs = all.filter((one) => !urlOf(one).startsWith(browser.runtime.getURL("")));
  const server = (await connection.read())?.server ?? null;
  const others = tabs.filter((one) => !isOwnPage(urlOf(one), server));
  return { saved: { ...tabsIn(tabs), isWindow: true }, title: titleFor(others) };
};

type Named = Pick<Tab, "active" | "pendingUrl" | "title" | "url">;

/** Names a new task after the tabs that it begins with: the one in front if it can be saved, or the first that can. */
export const titleFor = (tabs: readonly Named[]): string => {
  const savable = tabs.filter((tab) => savableUrl(urlOf(tab)) !== null);
  const first = savable.find(({ active }) => active) ?? savable[0];
  const address = urlOf(first ?? {});
  const title = savableTitle(first?.title, address) ?? savableUrl(address);
  const name = shortenedTo(title ?? "New task", 120);
  return savable.length > 1 ? `${name} and ${savable.length - 1} more` : name;
};
