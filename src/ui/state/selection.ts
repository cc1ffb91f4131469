import { computed, effect, signal } from "@preact/signals";
import { toggled } from "../../domain/base/toggled.ts";
import type { TaskView } from "../../client/views.ts";
import { shownTasks } from "./lists.ts";
import { place, route } from "./route.ts";

/** The row that the keyboard is at. */
export const cursor = signal<string | null>(null);
export const selected = signal<ReadonlySet<string>>(new Set());

/** Raised when the keyboard moved the cursor: the list then scrolls there and moves the focus. */
export const cursorMoves = signal(0);

const indexOfCursor = (list: readonly TaskView[]): number =>
  list.findIndex(({ id }) => id === cursor.value);

/** Moves the cursor by some rows. An open task follows it. */
export const moveCursor = (by: number): string | null => {
  const list = shownTasks.value;
  const at = indexOfCursor(list);
  const next = list[at === -1 ? (by > 0 ? 0 : list.length - 1) : clamp(at + by, list.length)];
  if (!next) return null;
  cursor.value = next.id;
  cursorMoves.value += 1;
  return next.id;
};

/** Moves the cursor to the first row. */
export const moveToFirst = (): void => {
  cursor.value = null;
  moveCursor(1);
};

const clamp = (at: number, length: number): number => Math.max(0, Math.min(length - 1, at));

/** Moves the cursor off a row that is about to leave the list. */
export const stepOff = (ids: readonly string[]): void => {
  const list = shownTasks.peek();
  const at = indexOfCursor(list);
  if (at === -1 || !ids.includes(cursor.value ?? "")) return;
  const stays = (task: TaskView): boolean => !ids.includes(task.id);
  const next = list.slice(at).find(stays) ?? list.slice(0, at).findLast(stays);
  cursor.value = next?.id ?? null;
  cursorMoves.value += 1;
};

/** Selects a row, or no longer. A range then starts there. */
export const toggleSelected = (id: string): void => {
  selected.value = toggled(selected.value, id);
  cursor.value = id;
};

/** Moves the cursor by a row, and selects both. */
export const extendSelection = (by: -1 | 1): void => {
  const from = cursor.value;
  const to = moveCursor(by);
  selected.value = new Set([...selected.value, from, to].filter((id) => id !== null));
};

export const selectAll = (): void => {
  selected.value = new Set(shownTasks.value.map(({ id }) => id));
};

/** Selects everything between the cursor and a row, as lists of files do. */
export const selectTo = (id: string): void => {
  const ids = shownTasks.value.map((task) => task.id);
  const [from, to] = [ids.indexOf(cursor.value ?? id), ids.indexOf(id)].toSorted((a, b) => a - b);
  selected.value = new Set([
    ...selected.value,
    ...ids.slice(Math.max(0, from ?? 0), (to ?? 0) + 1),
  ]);
  cursor.value = id;
};

export const clearSelection = (): void => {
  selected.value = new Set();
};

/** What an action by keyboard is about: the selected tasks, else the row at the cursor, else the open task. */
export const targets = (): readonly string[] => {
  if (selected.value.size > 0) {
    const list = shownTasks.value.filter(({ id }) => selected.value.has(id));
    return list.map(({ id }) => id);
  }
  const at = route.value.task ?? cursor.value;
  return at === null ? [] : [at];
};

export const hasSelection = computed(() => selected.value.size > 0);

/** Another view starts without a selection. */
export const watchPlace = (): void => {
  effect(() => {
    void place.value;
    clearSelection();
  });
};
