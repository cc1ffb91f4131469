import type { Client } from "../../client/client.ts";
import { isOpenTask, listTasks } from "../../client/lists.ts";
import { INBOX_TITLE, MAX_TITLE } from "../../domain/tasks/task.ts";
import { lastTask } from "./last.ts";
import type { Place } from "./request.ts";

/** The task that a save goes into. */
export type Target = {
  readonly id: string;
  /** Its title in the store, if the save makes it. */
  readonly title: string;
  /** What people call it. */
  readonly name: string;
  readonly isNew: boolean;
};

/** Finds the task of a place, or names a new one. */
export const targetOf = async (client: Client, place: Place): Promise<Target> => {
  switch (place.kind) {
    case "inbox":
      return inboxTarget(client);
    case "last": {
      const id = await lastTask.read();
      const task = id === null ? undefined : client.state().tasks.get(id);
      return task && isOpenTask(client.state(), task)
        ? existing(task.id, task.title)
        : inboxTarget(client);
    }
    case "task":
      return existing(place.id, client.state().tasks.get(place.id)?.title ?? "");
    case "new": {
      const title = place.title.trim().slice(0, MAX_TITLE).toWellFormed() || "New task";
      return { id: client.newId(), title, name: title, isNew: true };
    }
  }
};

const existing = (id: string, title: string): Target => ({
  id,
  title,
  name: title === INBOX_TITLE ? INBOX : title || "Untitled",
  isNew: false,
});

const INBOX = "Inbox";

const inboxTarget = (client: Client): Target => {
  const [inbox] = listTasks(client.state(), { kind: "inbox" });
  return inbox
    ? existing(inbox.id, inbox.title)
    : { id: client.newId(), title: INBOX_TITLE, name: INBOX, isNew: true };
};
