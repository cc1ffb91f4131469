import { undoLast } from "../acts/act.ts";
import { exportAll } from "../acts/export.ts";
import { nudge } from "../acts/order.ts";
import { deleteTasks, restoreTasks, toggleDone } from "../acts/tasks.ts";
import { copyTabs, openAll } from "../acts/tabs.ts";
import { canArrange } from "../list/row.tsx";
import type { IconName } from "../parts/icon.tsx";
import { client, state } from "../state/client.ts";
import { shownTasks } from "../state/lists.ts";
import { show } from "../state/overlay.ts";
import { closeTask, go, openTask, pathTo, route } from "../state/route.ts";
import {
  clearSelection,
  cursor,
  hasSelection,
  moveCursor,
  selected,
  targets,
  toggleSelected,
} from "../state/selection.ts";
import { ALL_PLACES } from "../views/places.ts";

/** An action of the palette. */
export type Command = {
  readonly name: string;
  readonly icon: IconName;
  readonly keys?: string;
  readonly run: () => void;
};

const step = (by: number): void => {
  if (route.value.view === "inbox") {
    document.querySelector<HTMLElement>("main .tab .title")?.focus();
    return;
  }
  const id = moveCursor(by);
  // An open task follows the cursor, so that a list can be read through.
  if (id !== null && route.value.task !== null) openTask(id);
};

const finish = (): void => void toggleDone(targets());
const toss = (): void => {
  const ids = targets();
  if (ids.length === 0) return;
  if (route.value.task !== null && ids.includes(route.value.task)) closeTask();
  void (route.value.view === "trash" ? restoreTasks(ids) : deleteTasks(ids));
};
const shift = (by: -1 | 1): void => {
  if (cursor.value !== null && canArrange()) void nudge(cursor.value, by);
};
const openTabs = (): void => {
  const [id] = targets();
  openAll(state().tasks.get(id ?? "")?.tabs ?? []);
};
const withTargets = (kind: "due" | "move-tasks") => (): void => {
  const ids = targets();
  if (ids.length > 0) show({ kind, ids });
};
const leave = (): void => {
  if (hasSelection.value) clearSelection();
  else if (route.value.task !== null) closeTask();
};

/** What single keys do, outside of fields. */
export const KEYS: Readonly<Record<string, () => void>> = {
  n: () => show({ kind: "new-task" }),
  "/": () => go(pathTo({ view: "search" })),
  "?": () => show({ kind: "shortcuts" }),
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  o: () => cursor.value !== null && openTask(cursor.value),
  e: finish,
  x: () => cursor.value !== null && toggleSelected(cursor.value),
  "#": toss,
  Delete: toss,
  m: withTargets("move-tasks"),
  d: withTargets("due"),
  t: openTabs,
  u: () => void undoLast(),
  Escape: leave,
};

/** With Alt: what dragging does. */
export const ALT_KEYS: Readonly<Record<string, () => void>> = {
  ArrowUp: () => shift(-1),
  ArrowDown: () => shift(1),
};

/** With Ctrl or Cmd. */
export const CTRL_KEYS: Readonly<Record<string, () => void>> = {
  k: () => show({ kind: "palette" }),
  z: () => void undoLast(),
  a: () => (selected.value = new Set(shownTasks.value.map(({ id }) => id))),
};

/** After `g`: where it goes. */
export const GO_KEYS: ReadonlyMap<string, () => void> = new Map(
  ALL_PLACES.map(({ view, key }) => [key, () => go(pathTo({ view }))]),
);

/** The actions that the palette offers now. */
export const commands = (): readonly Command[] => [
  { name: "New task", icon: "plus", keys: "n", run: () => show({ kind: "new-task" }) },
  ...(targets().length > 0 ? taskCommands() : []),
  ...ALL_PLACES.map(({ view, name, icon, key }) => ({
    name: `Go to ${name}`,
    icon,
    keys: `g ${key}`,
    run: () => go(pathTo({ view })),
  })),
  { name: "Search", icon: "search", keys: "/", run: () => go(pathTo({ view: "search" })) },
  { name: "Undo the last change", icon: "undo-2", keys: "u", run: () => void undoLast() },
  { name: "Sync now", icon: "refresh-cw", run: () => void client().sync() },
  {
    name: "Keyboard shortcuts",
    icon: "keyboard",
    keys: "?",
    run: () => show({ kind: "shortcuts" }),
  },
  { name: "Get the bookmarklet", icon: "bookmark", run: () => show({ kind: "bookmarklet" }) },
  { name: "Export everything", icon: "download", run: () => void exportAll() },
  { name: "Account, keys and devices", icon: "settings", run: () => location.assign("/account") },
  { name: "Sign out", icon: "log-out", run: () => show({ kind: "sign-out" }) },
];

const taskCommands = (): readonly Command[] => {
  const task = state().tasks.get(targets()[0] ?? "");
  return [
    { name: "Finish or reopen", icon: "circle-check", keys: "e", run: finish },
    { name: "Move to a folder", icon: "folder", keys: "m", run: withTargets("move-tasks") },
    { name: "Set the due date", icon: "calendar", keys: "d", run: withTargets("due") },
    { name: "Delete", icon: "trash", keys: "#", run: toss },
    ...(task && task.tabs.length > 0
      ? ([
          { name: "Open all its tabs", icon: "external-link", keys: "t", run: openTabs },
          {
            name: "Copy its tabs as Markdown",
            icon: "copy",
            run: () => void copyTabs(task.tabs, "markdown"),
          },
        ] as const)
      : []),
  ];
};

type Sheet = readonly (readonly [title: string, lines: readonly (readonly [string, string])[]])[];

/** The sheet of keys, in the order in which people learn them. */
export const SHEET: Sheet = [
  [
    "Anywhere",
    [
      ["n", "New task"],
      ["/", "Search"],
      ["Ctrl K", "Find or do anything"],
      ["u", "Undo"],
      ["?", "This list"],
      ["Esc", "Close, or clear the selection"],
    ],
  ],
  [
    "In a list",
    [
      ["j k", "Next, previous task"],
      ["o", "Open the task"],
      ["e", "Finish or reopen"],
      ["x", "Select"],
      ["Ctrl A", "Select all"],
      ["m", "Move to a folder"],
      ["d", "Set the due date"],
      ["t", "Open its tabs"],
      ["#", "Delete"],
      ["Alt ↑", "Move up"],
      ["Alt ↓", "Move down"],
    ],
  ],
  ["Go to", ALL_PLACES.map(({ key, name }) => [`g ${key}`, name] as const)],
];
