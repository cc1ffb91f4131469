import { keepEverything } from "../acts/agents.ts";
import { undoLast } from "../acts/act.ts";
import { copyTasks, exportAll } from "../acts/copy.ts";
import { deleteFolder } from "../acts/folders.ts";
import { showHistory } from "../acts/history.ts";
import { nudgeFolder } from "../acts/order.ts";
import { copyTabs } from "../acts/tabs.ts";
import { change } from "../acts/tasks.ts";
import { statusName } from "../../domain/tasks/task.ts";
import type { IconName } from "../parts/marks.tsx";
import { canArrange, shownTasks } from "../state/lists.ts";
import { client, foldersById, state } from "../state/client.ts";
import { newFromAgents } from "../state/looked.ts";
import { nameFolder, show } from "../state/overlay.ts";
import { go, pathTo, route } from "../state/route.ts";
import { shell } from "../state/screen.ts";
import { selectAll, targets } from "../state/selection.ts";
import { ACCOUNT_PLACES, ALL_PLACES } from "../views/places.ts";
import { statusIcon, STATUSES } from "../words/statuses.ts";
import {
  across,
  finish,
  openAtCursor,
  openTabs,
  search,
  selectAtCursor,
  shift,
  toss,
  withTargets,
} from "./keys.ts";

/** An action of the palette. */
export type Command = {
  readonly name: string;
  readonly icon: IconName;
  readonly keys?: string;
  readonly run: () => void;
};

/** The actions that the palette offers now. */
export const commands = (): readonly Command[] => [
  { name: "New task", icon: "plus", keys: "n", run: () => show({ kind: "new-task" }) },
  ...(targets().length > 0 ? taskCommands() : []),
  ...folderCommands(),
  { name: "New folder", icon: "folder-plus", run: nameFolder },
  ...ALL_PLACES.map(({ view, name, icon, key }) => ({
    name: `Go to ${name}`,
    icon,
    keys: `g ${key}`,
    run: () => go(pathTo({ view })),
  })),
  { name: "Search", icon: "search", keys: "/", run: search },
  ...(shownTasks.value.length > 0
    ? [{ name: "Select all", icon: "list-checks", keys: "Ctrl A", run: selectAll } as const]
    : []),
  ...(newFromAgents.value.length > 0
    ? [{ name: "Keep everything from agents", icon: "check", run: keepEverything } as const]
    : []),
  { name: "Undo the last change", icon: "undo-2", keys: "u", run: () => void undoLast() },
  { name: "Sync now", icon: "refresh-cw", run: () => void client().sync() },
  { name: "Settings", icon: "palette", run: () => show({ kind: "settings" }) },
  {
    name: "Keyboard shortcuts",
    icon: "keyboard",
    keys: "?",
    run: () => show({ kind: "shortcuts" }),
  },
  { name: "Export everything", icon: "download", run: () => void exportAll() },
  ...(shell.server() === null ? [] : accountCommands()),
  ...(shell.isWebApp ? webAppCommands() : []),
  ...statusCommands(targets()),
];

const accountCommands = (): readonly Command[] =>
  ACCOUNT_PLACES.map(({ name, icon, href }) => ({ name, icon, run: () => shell.leave(href) }));

const webAppCommands = (): readonly Command[] => [
  { name: "Get the bookmarklet", icon: "bookmark", run: () => show({ kind: "bookmarklet" }) },
  { name: "Sign out", icon: "log-out", run: () => show({ kind: "sign-out" }) },
];

const statusCommands = (ids: readonly string[]): readonly Command[] =>
  ids.length === 0
    ? []
    : STATUSES.map((status) => ({
        name: `Set the status to ${statusName(status)}`,
        icon: statusIcon(status),
        run: () => void change(ids, { status }, "Status changed", true),
      }));

const taskCommands = (): readonly Command[] => {
  const ids = targets();
  const task = state().tasks.get(ids[0] ?? "");
  const { view } = route.value;
  return [
    { name: "Open the task", icon: "list", keys: "o", run: openAtCursor },
    { name: "Select or unselect", icon: "check", keys: "x", run: selectAtCursor },
    { name: "Finish or reopen", icon: "circle-check", keys: "e", run: finish },
    { name: "Move to a folder", icon: "folder", keys: "m", run: withTargets("move-tasks") },
    { name: "Set the due date", icon: "calendar", keys: "d", run: withTargets("due") },
    { name: "Copy as Markdown", icon: "copy", keys: "Ctrl C", run: () => void copyTasks(ids) },
    ...(view === "trash"
      ? ([
          { name: "Restore", icon: "undo-2", keys: "#", run: toss },
          { name: "Delete for good", icon: "trash", run: withTargets("for-good") },
        ] as const)
      : ([{ name: "Delete", icon: "trash", keys: "#", run: toss }] as const)),
    ...(canArrange() || view === "board"
      ? ([
          { name: "Move up", icon: "arrow-up", keys: "Alt ↑", run: () => shift(-1) },
          { name: "Move down", icon: "arrow-down", keys: "Alt ↓", run: () => shift(1) },
        ] as const)
      : []),
    ...(view === "board"
      ? ([
          { name: "Move a column left", icon: "arrow-left", keys: "Alt ←", run: () => across(-1) },
          { name: "Move a column right", icon: "arrow-right", keys: "Alt →", run: () => across(1) },
        ] as const)
      : []),
    ...(task && state().isWhole && task.tabs.length > 0
      ? ([
          {
            name: "Open all its tabs",
            icon: "external-link",
            keys: "t",
            run: () => void openTabs(),
          },
          {
            name: "Copy its links",
            icon: "link",
            run: () => void copyTabs(task.tabs, "links"),
          },
        ] as const)
      : []),
    ...(task && ids.length === 1 && shell.server() !== null
      ? [
          {
            name: "History of the task",
            icon: "rotate-ccw-clock",
            run: () => showHistory(task.id),
          } as const,
        ]
      : []),
  ];
};

/** What can be done with the folder that is shown. */
const folderCommands = (): readonly Command[] => {
  const { view, folder } = route.value;
  if (view !== "folder" || !foldersById.value.has(folder ?? "")) return [];
  const id = folder ?? "";
  return [
    { name: "Move this folder up", icon: "arrow-up", run: () => void nudgeFolder(id, -1) },
    { name: "Move this folder down", icon: "arrow-down", run: () => void nudgeFolder(id, 1) },
    { name: "Delete this folder", icon: "trash", run: () => void deleteFolder(id) },
  ];
};
