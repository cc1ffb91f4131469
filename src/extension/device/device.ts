import type { ClientState } from "../../client/client.ts";
import { isOpenTask } from "../../client/lists.ts";
import type { TabView, TaskView } from "../../client/views.ts";
import { isObject, listField, type Payload, textField } from "../../domain/base/payload.ts";
import { isSeen } from "../../domain/base/text.ts";
import { DEVICE_TAG, deviceIn, isSameTag } from "../../domain/tasks/tags.ts";
import { MAX_TAG } from "../../domain/tasks/task.ts";
import { browserName } from "../../domain/people/session.ts";
import { kept } from "../browser/kept.ts";
import { savableUrl } from "../save/savable.ts";

// A tab is sent to a device by saving it to the task of that device: an open task with the tag `device:NAME`. Any
// client can do that, also the web app or an agent. The device opens what is there, and takes it out of the task.

/** What other devices call this one; null if it takes no tabs from them. */
export const deviceName = kept("device", (stored): string | null =>
  typeof stored === "string" && stored !== "" ? stored : null,
);

export const LONGEST_NAME = MAX_TAG - DEVICE_TAG.length;

export const tagOf = (name: string): string => `${DEVICE_TAG}${name}`;

/** Returns the name of the device that a task is for; null if it is for none. */
export const deviceOf = ({ tags }: Pick<TaskView, "tags">): string | null =>
  tags.map(deviceIn).find((name) => name !== null) ?? null;

/** Whether what is saved into a task is sent to a device. */
export const isForDevice = (task: Payload): boolean =>
  listField(task, "tags").some((tag) => typeof tag === "string" && deviceIn(tag) !== null);

type Records = Pick<ClientState, "buckets" | "deletedTasks" | "folders" | "tasks">;

/** Returns the tasks of a device. One that an agent made comes last, so that it does not take another one's place. */
export const tasksOfDevice = (records: Records, name: string): readonly TaskView[] =>
  [...records.tasks.values()]
    .filter(({ tags }) => tags.some((tag) => isSameTag(tag, tagOf(name))))
    .filter((task) => isOpenTask(records, task))
    .toSorted((a, b) => Number(isByAgent(a)) - Number(isByAgent(b)));

const isByAgent = ({ madeBy }: Pick<TaskView, "madeBy">): boolean => madeBy.author === "agent";

/** Tabs that wait for a device. Those without an id cannot be taken out of their task, and stay in it. */
export const arrivedIn = (task: TaskView): TaskView["tabs"] =>
  task.tabs.filter(({ id, url }) => id !== null && savableUrl(url) !== null);

/** How many tabs wait for a device in its tasks, and who sent them. */
export type Arrivals = {
  readonly count: number;
  readonly from: string;
  readonly isByAgents: boolean;
};

export const arrivalsIn = (tasks: readonly TaskView[]): Arrivals => {
  const senders = tasks.flatMap((task) => arrivedIn(task).map((tab) => senderOf(task, tab)));
  const known = Map.groupBy(
    senders.filter((one) => one !== null),
    (one) => one,
  );
  const isOne = known.size === 1 && known.values().next().value?.length === senders.length;
  // Agents first: the person may not expect them.
  const parts = [...known]
    .toSorted(([a], [b]) => Number(isAgents(b)) - Number(isAgents(a)))
    .map(([sender, { length }]) => (isOne ? sender : `${length} ${sender}`));
  return {
    count: senders.length,
    from: parts.join(", "),
    isByAgents: senders.some((one) => one !== null && isAgents(one)),
  };
};

const BY_AGENT = "by an agent";

const isAgents = (sender: string): boolean => sender.startsWith(BY_AGENT);

/**
 * Returns who sent a tab; null if that is not known. What is in the task of an agent is never a person's: agents can
 * make tasks with any tag.
 */
const senderOf = (task: TaskView, tab: TabView): string | null => {
  const agent = [tab, task].find(isByAgent);
  if (agent) return agent.madeBy.key === null ? BY_AGENT : `${BY_AGENT}: ${agent.madeBy.key}`;
  const page = listField(task.payload, "pages")[tab.at];
  const device = isObject(page) ? textField(page, SENT_FROM) : null;
  return isSeen(device) ? `from ${device}` : null;
};

/** The field of a tab that says which device sent it. */
export const SENT_FROM = "sent_from";

/** What other devices call this one when it sends something. */
export const senderName = async (): Promise<string> =>
  (await deviceName.read()) ?? browserName(navigator.userAgent);
