import type { ClientState } from "../../client/client.ts";
import { isOpenTask } from "../../client/lists.ts";
import type { TaskView } from "../../client/views.ts";
import { kept } from "../browser/kept.ts";

// A tab is sent to a device by saving it to the task of that device: an open task with the tag `device:NAME`. Any
// client can do that, also the web app or an agent. The device opens what is there, and takes it out of the task.

/** What other devices call this one; null if it takes no tabs from them. */
export const deviceName = kept("device", (stored): string | null =>
  typeof stored === "string" && stored !== "" ? stored : null,
);

const TAG = "device:";

/** Tags have at most 50 characters. */
export const LONGEST_NAME = 50 - TAG.length;

export const tagOf = (name: string): string => `${TAG}${name}`;

/** Returns the name of the device that a task is for; null if it is for none. */
export const deviceOf = ({ tags }: Pick<TaskView, "tags">): string | null =>
  tags.find((tag) => tag.startsWith(TAG) && tag.length > TAG.length)?.slice(TAG.length) ?? null;

type Records = Pick<ClientState, "buckets" | "deletedTasks" | "folders" | "tasks">;

/** Returns the task of a device, if there is one. */
export const taskOfDevice = (records: Records, name: string): TaskView | null => {
  for (const task of records.tasks.values())
    if (task.tags.includes(tagOf(name)) && isOpenTask(records, task)) return task;
  return null;
};

/** How many tabs wait for a device. Those without an id cannot be taken out of their task, and stay in it. */
export const arrivedIn = (task: TaskView | null): TaskView["tabs"] =>
  (task?.tabs ?? []).filter(({ id, url }) => id !== null && /^https?:/i.test(url));
