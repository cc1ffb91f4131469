import type { ComponentChildren } from "preact";
import { hasWords, searchTasks } from "../../client/search.ts";
import { taskName, type TaskView } from "../../client/views.ts";
import { recordName } from "../../domain/base/record.ts";
import { isSeen, shownName } from "../../domain/base/text.ts";
import { type Choice, Chooser } from "../../ui/parts/chooser.tsx";
import { Icon, type IconName } from "../../ui/parts/marks.tsx";
import { foldersById } from "../../ui/state/client.ts";
import { doneTasks, inboxTask, openTasks } from "../../ui/state/open.ts";
import type { Destination } from "../save/request.ts";
import { isClosed } from "../../domain/tasks/task.ts";
import { isSameTag } from "../../domain/tasks/tags.ts";
import { deviceOf } from "../device/device.ts";
import { ownName } from "../parts/arrived.tsx";
import { savePicked } from "./acts.ts";
import { titleFor } from "../save/place.ts";
import { lastTaskId, offer, pickedTabs } from "./here.ts";

const MOST = 30;

type PlacesProps = { readonly action: string; readonly children: ComponentChildren };

/** Where to save: the inbox, the task used last, one that is found by typing, or a new one. */
export const Places = ({ action, children }: PlacesProps) => (
  <Chooser
    action={action}
    label="Save to"
    placeholder="Find a task, or type the title of a new one"
    none="No task has these words."
    choices={choices}
  >
    {children}
  </Chooser>
);

const choices = (typed: string): readonly Choice[] => {
  const title = isSeen(typed) ? typed.trim() : "";
  const inbox = inboxTask.value?.id;
  const open = openTasks.value.filter((task) => task.id !== inbox && !isOwn(task));
  if (title !== "")
    return [
      ...(hasWords("Inbox", title) ? [toInbox()] : []),
      ...searchTasks([...open, ...doneTasks.value], title)
        .slice(0, MOST)
        .map((task) => toTask(task)),
      toNew(title),
    ];
  const last = open.find(({ id }) => id === lastTaskId.value);
  const others = open.filter((task) => task !== last);
  const rest = [...others.filter(isDevice), ...others.filter((task) => !isDevice(task))];
  return [
    toInbox(),
    ...(last ? [toTask(last, "used last")] : []),
    toNew(newTitle()),
    ...rest.slice(0, MOST).map((task) => toTask(task)),
  ];
};

/** A new task for a group has the group's name, and any other is named after the tabs that are saved. */
const newTitle = (): string =>
  offer.value?.what === "group" || pickedTabs.value.length === 0
    ? (offer.value?.title ?? "New task")
    : titleFor(pickedTabs.value);

const isOwn = (task: TaskView): boolean => {
  const device = deviceOf(task);
  return device !== null && ownName.value !== null && isSameTag(device, ownName.value);
};

/** The task of an agent is for no device, whatever its tags say. */
const isDevice = (task: TaskView): boolean =>
  deviceOf(task) !== null && task.madeBy.author === "person";

const toInbox = (): Choice => line("inbox", "inbox", "Inbox", "", { kind: "inbox" });

const toNew = (title: string): Choice =>
  line("new", "plus", `New task “${title}”`, "", { kind: "new", title });

const toTask = (task: TaskView, note?: string): Choice => {
  const { id, folderId } = task;
  const device = isDevice(task) ? deviceOf(task) : null;
  if (device !== null)
    return line(id, "send", `Send to ${shownName(device, "a device without a name")}`, note ?? "", {
      kind: "task",
      id,
    });
  const folder = foldersById.value.get(folderId ?? "");
  const folderName = folder ? recordName("sync_projects", folder.name) : "";
  const isDone = isClosed(task.status);
  return line(
    id,
    isDone ? "circle-check" : "circle",
    taskName(task),
    note ?? (isDone ? "done" : folderName),
    { kind: "task", id },
  );
};

const line = (
  key: string,
  icon: IconName,
  name: string,
  note: string,
  place: Destination,
): Choice => ({
  key,
  shown: (
    <>
      <Icon name={icon} />
      <span class="name" dir="auto">
        {name}
      </span>
      <span class="soft">{note}</span>
    </>
  ),
  run: () => void savePicked(place),
});
