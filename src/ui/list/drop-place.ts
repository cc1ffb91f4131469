import { receiveDropInInbox, receiveTasks } from "../acts/receive.ts";
import { shiftToInbox } from "../acts/tabs.ts";
import { deleteTasks, moveToFolder, moveToInbox, setDue, toggleDone } from "../acts/tasks.ts";
import { inboxTask } from "../state/open.ts";
import type { View } from "../state/route.ts";
import { today } from "../state/screen.ts";
import { dropAt, type Dragged, dropTarget, type Outside } from "./drag.ts";

type Where = { readonly view: View; readonly folder?: string };

/** What makes a view at the side take dragged tasks and tabs, and links or text from elsewhere. */
export const dropOnPlace = (view: View) => {
  const key = `place ${view}`;
  return {
    class: dropAt.value === key ? "drop-here" : "",
    ...dropTarget(
      (what) => (takes(what, view) ? key : null),
      (what) => dropOnto(what, { view }),
    ),
  };
};

export const takes = (what: Dragged, view: View): boolean => {
  switch (what.kind) {
    case "tasks":
      return ["inbox", "today", "folder", "done", "trash"].includes(view);
    case "tabs":
      return view === "inbox" && inboxTask.value !== null;
    case "outside":
      return ["inbox", "today", "open", "folder"].includes(view);
    default:
      return false;
  }
};

export const dropOnto = (what: Dragged, { view, folder }: Where): void => {
  if (what.kind === "tabs") void shiftToInbox(what.from, what.names);
  if (what.kind === "outside") dropOutside(what, view, folder ?? null);
  if (what.kind !== "tasks") return;
  if (view === "inbox") void moveToInbox(what.ids);
  if (view === "today") void setDue(what.ids, today.value);
  if (view === "folder") void moveToFolder(what.ids, folder ?? null);
  if (view === "done") void toggleDone(what.ids);
  if (view === "trash") void deleteTasks(what.ids);
};

const dropOutside = (what: Outside, view: View, folderId: string | null): void => {
  if (view === "inbox") receiveDropInInbox(what);
  else void receiveTasks(what.text, { folderId, due: view === "today" ? today.value : null });
};
