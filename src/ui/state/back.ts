// The browser's history, in which Back closes what lies over the page before it leaves the page. Whatever opens there
// gets an entry of the same address. Entries cannot be taken out again: Back skips one whose dialog is closed, and the
// next page takes its place.

/** What the app notes about an entry of the history. */
type Entry = {
  /** Its number, counted from where the app was opened. */
  readonly at: number;
  /** What lies over the page here: a dialog, a menu or the list of views; or a task, which has an address. */
  readonly over?: "layer" | "task";
  /** Whether the entry below is of a task over the same page. */
  readonly onTask?: boolean;
  /** How many entries below show the same page, because what lay over it is closed. */
  readonly skip?: number;
};

const isEntry = (state: unknown): state is Entry =>
  typeof state === "object" && state !== null && "at" in state;

let entry: Entry = isEntry(history.state) ? history.state : { at: 0 };

const replace = (next: Entry, address?: string): void => {
  entry = next;
  history.replaceState(entry, "", address);
};

const push = (next: Omit<Entry, "at">, address?: string): void => {
  entry = { ...next, at: entry.at + 1 };
  history.pushState(entry, "", address);
};

/** Goes to an address. It takes the place of what lay over the last one. */
export const enter = (address: string, over?: "task"): void => {
  const next = over === undefined ? {} : { over };
  if (entry.over === "layer" || entry.skip !== undefined)
    replace({ ...next, at: entry.at }, address);
  else push(next, address);
};

/** Changes the address where it is. */
export const exchange = (address: string): void => replace(entry, address);

/** Goes to the address of the page below a task. */
export const leaveTask = (address: string): void => {
  const { at, over, onTask } = entry;
  const skip = onTask ? 2 : over === "task" ? 1 : undefined;
  replace(skip === undefined ? { at } : { at, skip }, address);
};

/** Closes what lies over the page; the last is on top. */
const layers: (() => void)[] = [];

/** Call it when something opens over the page: Back then calls `close`. Returns what to call once it is closed. */
export const openLayer = (close: () => void): (() => void) => {
  layers.push(close);
  cover();
  return () => {
    const at = layers.indexOf(close);
    if (at !== -1) layers.splice(at, 1);
    if (layers.length === 0) uncover();
  };
};

const cover = (): void => {
  if (entry.over === "layer") return;
  const { at, over, onTask = over === "task", skip } = entry;
  if (skip === undefined) push({ over: "layer", onTask });
  else replace({ at, over: "layer", onTask });
};

const uncover = (): void => {
  if (entry.over !== "layer") return;
  const { at, onTask = false } = entry;
  replace({ at, onTask, skip: 1 });
};

/** Follows Back and Forward. `follow` reads the address again. Call it once. */
export const watchHistory = (follow: () => void): void => {
  replace(entry);
  // A reload closes dialogs.
  uncover();
  addEventListener("popstate", ({ state }: PopStateEvent) => {
    const left = entry;
    if (isEntry(state)) entry = state;
    else replace({ at: left.at + 1 });
    follow();
    const isBack = entry.at < left.at;
    const close = isBack ? layers.pop() : undefined;
    close?.();
    if (layers.length > 0) cover();
    else uncover();
    if (close === undefined && isBack && left.skip !== undefined) history.go(-left.skip);
  });
};
