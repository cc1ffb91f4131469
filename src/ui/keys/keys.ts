import { undoLast } from "../acts/act.ts";
import { copyTasks } from "../acts/copy.ts";
import { nudge, putInto } from "../acts/order.ts";
import { deleteTasks, restoreTasks, toggleDone } from "../acts/tasks.ts";
import { openAll } from "../acts/tabs.ts";
import { canArrange, shownTasks } from "../state/lists.ts";
import { columns } from "../state/board.ts";
import { client, state } from "../state/client.ts";
import { show } from "../state/overlay.ts";
import { closeTask, go, openTask, pathTo, route } from "../state/route.ts";
import {
  clearSelection,
  cursor,
  cursorMoves,
  extendSelection,
  hasSelection,
  moveCursor,
  selectAll,
  targets,
  toggleSelected,
} from "../state/selection.ts";
import { ALL_PLACES } from "../views/places.ts";

const step = (by: number): void => {
  if (route.value.view === "inbox" && stepToTab(by)) return;
  const id = moveCursor(by);
  // An open task follows the cursor, so that a list can be read through.
  if (id !== null && route.value.task !== null) openTask(id);
};

/** In the Inbox, links without a task stand above the tasks. Returns whether the focus goes to one of them. */
const stepToTab = (by: number): boolean => {
  const tabs = [...document.querySelectorAll<HTMLElement>("main .inbox .tab .title")];
  const at = shownTasks.value.findIndex(({ id }) => id === cursor.value);
  const isAtRow = document.activeElement?.closest(".row") != null;
  const tab = isAtRow ? (at === 0 && by < 0 ? tabs.at(-1) : undefined) : tabs[0];
  tab?.focus();
  return tab !== undefined;
};

export const finish = (): void => void toggleDone(targets());
export const toss = (): void => {
  const ids = targets();
  if (ids.length === 0) return;
  if (route.value.task !== null && ids.includes(route.value.task)) closeTask();
  void (route.value.view === "trash" ? restoreTasks(ids) : deleteTasks(ids));
};
export const shift = (by: -1 | 1): void => {
  const id = cursor.value;
  if (id === null) return;
  if (route.value.view === "board") void nudge(id, by, columnOf(id)?.tasks ?? []);
  else if (canArrange()) void nudge(id, by);
};
const columnOf = (id: string) =>
  columns.value.find(({ tasks }) => tasks.some((task) => task.id === id));
export const openAtCursor = (): void => {
  if (cursor.value !== null) openTask(cursor.value);
};
export const selectAtCursor = (): void => {
  if (cursor.value !== null) toggleSelected(cursor.value);
};
/** On the board: puts the card at the cursor at the end of the column beside its own. */
export const across = (by: -1 | 1): void => {
  const id = cursor.value;
  const own = id === null ? undefined : columnOf(id);
  const next = own && columns.value[columns.value.indexOf(own) + by];
  if (id === null || route.value.view !== "board" || !next) return;
  void putInto(next, [id], next.tasks.length).then(() => (cursorMoves.value += 1));
};
/** Copies tasks, unless the person selected text. */
const copy = (): void => {
  if (getSelection()?.isCollapsed !== false) void copyTasks(targets());
  else document.execCommand("copy");
};
export const openTabs = async (): Promise<void> => {
  const [id] = targets();
  await client().whole;
  if (id !== undefined) openAll(id, state().tasks.get(id)?.tabs ?? [], true);
};
export const withTargets = (kind: "due" | "for-good" | "move-tasks") => (): void => {
  const ids = targets();
  if (ids.length > 0) show({ kind, ids });
};
/** The field takes the focus when it appears. If it is there already, it is ready for other words. */
export const search = (): void => {
  go(pathTo({ view: "search" }));
  const field = document.getElementById("search");
  if (field instanceof HTMLInputElement) field.select();
};
const leave = (): void => {
  if (hasSelection.value) clearSelection();
  else if (route.value.task !== null) closeTask();
};

/** What single keys do, outside of fields. */
export const KEYS: Readonly<Record<string, () => void>> = {
  n: () => show({ kind: "new-task" }),
  "/": search,
  "?": () => show({ kind: "shortcuts" }),
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  o: openAtCursor,
  e: finish,
  x: selectAtCursor,
  "#": toss,
  Delete: toss,
  m: withTargets("move-tasks"),
  d: withTargets("due"),
  t: () => void openTabs(),
  u: () => void undoLast(),
  Escape: leave,
};

/** With Alt: what dragging does. */
export const ALT_KEYS: Readonly<Record<string, () => void>> = {
  ArrowUp: () => shift(-1),
  ArrowDown: () => shift(1),
  ArrowLeft: () => across(-1),
  ArrowRight: () => across(1),
};

/** With Shift: the selection grows. */
export const SHIFT_KEYS: Readonly<Record<string, () => void>> = {
  ArrowUp: () => extendSelection(-1),
  ArrowDown: () => extendSelection(1),
  k: () => extendSelection(-1),
  j: () => extendSelection(1),
};

/** With Ctrl or Cmd. */
export const CTRL_KEYS: Readonly<Record<string, () => void>> = {
  k: () => show({ kind: "palette" }),
  z: () => void undoLast(),
  a: selectAll,
  c: copy,
};

/** After `g`: where it goes. */
export const GO_KEYS: ReadonlyMap<string, () => void> = new Map(
  ALL_PLACES.map(({ view, key }) => [key, () => go(pathTo({ view }))]),
);
