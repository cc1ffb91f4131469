import { hasWords, searchTasks } from "../../client/search.ts";
import { taskName, type TaskView } from "../../client/views.ts";
import { recordName } from "../../domain/base/record.ts";
import { isSeen, shownName } from "../../domain/base/text.ts";
import { type Choice, Chooser } from "../../ui/parts/chooser.tsx";
import { Icon, type IconName } from "../../ui/parts/marks.tsx";
import { foldersById } from "../../ui/state/client.ts";
import { inboxTask, openTasks } from "../../ui/state/open.ts";
import type { Destination } from "../save/request.ts";
import { isSameTag } from "../../domain/tasks/tags.ts";
import { deviceOf } from "../device/device.ts";
import { ownName } from "../parts/arrived.tsx";
import { savePicked } from "./acts.ts";
import { lastTaskId, offer } from "./here.ts";

const MOST = 30;

/** Where to save: the inbox, the task used last, one that is found by typing, or a new one. */
export const Places = () => (
  <Chooser
    label="Save to"
    placeholder="Find a task, or type the title of a new one"
    none="No task has these words."
    choices={choices}
  />
);

const choices = (typed: string): readonly Choice[] => {
  const title = isSeen(typed) ? typed.trim() : "";
  const inbox = inboxTask.value?.id;
  const open = openTasks.value.filter((task) => task.id !== inbox && !isOwn(task));
  if (title !== "")
    return [
      ...(hasWords("Inbox", title) ? [toInbox()] : []),
      ...searchTasks(open, title)
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
    toNew(offer.value?.title ?? "New task"),
    ...rest.slice(0, MOST).map((task) => toTask(task)),
  ];
};

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
  return line(id, "circle", taskName(task), note ?? folderName, { kind: "task", id });
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
