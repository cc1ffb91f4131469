import type { Client } from "../../client/client.ts";
import { isOpenTask, listTasks } from "../../client/lists.ts";
import { hasRoom } from "../../client/room.ts";
import { isInbox, taskName } from "../../client/views.ts";
import { shownName } from "../../domain/base/text.ts";
import { INBOX_TITLE, splitTitle } from "../../domain/tasks/task.ts";
import { afterSave } from "./edit.ts";
import { lastTask } from "./last.ts";
import type { Place } from "./request.ts";
import type { Gathered } from "./tabs.ts";

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
  place: Place,
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
