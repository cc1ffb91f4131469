import { deleteTasks, moveToFolder, setDue, toggleDone } from "../acts/tasks.ts";
import { shiftTabs } from "../acts/tabs.ts";
import { inboxTask } from "../state/lists.ts";
import type { View } from "../state/route.ts";
import { today } from "../state/today.ts";
import { dropAt, type Dragged, dropTarget } from "./drag.ts";

type Where = { readonly view: View; readonly folder?: string };

/** What makes a view or folder at the side take dragged tasks and tabs. */
export const dropOnPlace = (where: Where) => {
  const key = `place ${where.view} ${where.folder ?? ""}`;
  return {
    class: dropAt.value === key ? "drop-here" : "",
    ...dropTarget(
      (what) => (takes(what, where) ? key : null),
      (what) => drop(what, where),
    ),
  };
};

const takes = (what: Dragged, { view }: Where): boolean =>
  what.kind === "tasks"
    ? ["today", "folder", "done", "trash"].includes(view)
    : view === "inbox" && inboxTask.value !== null;

const drop = (what: Dragged, { view, folder }: Where): void => {
  if (what.kind === "tabs") {
    const inbox = inboxTask.value;
    if (inbox) void shiftTabs(what.from, what.names, inbox.id);
    return;
  }
  if (view === "today") void setDue(what.ids, today.value);
  if (view === "folder") void moveToFolder(what.ids, folder ?? null);
  if (view === "done") void toggleDone(what.ids);
  if (view === "trash") void deleteTasks(what.ids);
};
