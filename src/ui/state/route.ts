import { computed, signal } from "@preact/signals";
import { enter, exchange, leaveTask, watchHistory } from "./back.ts";
import { isInExtension } from "./screen.ts";
import { settings } from "./settings.ts";

/** The views that have an address of their own. */
const VIEWS = [
  "inbox",
  "today",
  "open",
  "folder",
  "board",
  "agents",
  "done",
  "trash",
  "search",
  "share",
  "refused",
] as const;
export type View = (typeof VIEWS)[number];

/** What the address names: a view, its folder, and the task that is open beside it. */
export type Route = {
  readonly view: View;
  /** Only for `folder`: its id, or `none` for tasks in no folder. */
  readonly folder: string | null;
  readonly task: string | null;
  readonly query: URLSearchParams;
};

const readRoute = (url: URL): Route => {
  const [, , name = "", id = ""] = url.pathname.split("/");
  const view = VIEWS.find((one) => one === name) ?? settings.peek().start;
  return {
    view,
    folder: view === "folder" ? decode(id) : null,
    task: url.searchParams.get("task"),
    query: url.searchParams,
  };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Where the app is. A page of the extension has one address of its own, and the app's in its fragment. */
const here = (): URL =>
  isInExtension ? new URL(location.hash.slice(1) || "/", location.origin) : new URL(location.href);

export const route = signal<Route>(readRoute(here()));

/** The address of a view; with a task, that task is open in it. */
export const pathTo = (
  { view, folder = null }: { readonly view: View; readonly folder?: string | null },
  task: string | null = null,
): string => {
  const place = view === "folder" ? `folder/${encodeURIComponent(folder ?? "none")}` : view;
  return `/tasks/${place}${task === null ? "" : `?task=${encodeURIComponent(task)}`}`;
};

/** Goes to an address of the app. With `replace`, Back does not lead to the one before. */
export const go = (path: string, { replace = false } = {}): void =>
  move(path, replace ? exchange : enter);

const move = (path: string, write: (address: string) => void): void => {
  const { pathname, search } = here();
  if (path === pathname + search) return;
  write(isInExtension ? `#${path}` : path);
  follow();
};

const follow = (): void => {
  route.value = readRoute(here());
};

/** The address of a task beside the current view. */
export const taskPath = (id: string): string => withTask(id);

/** Opens a task beside the current view. Leaving one task for another does not fill the browser's history. */
export const openTask = (id: string): void => {
  const isOpen = route.value.task !== null;
  move(withTask(id), isOpen ? exchange : (address) => enter(address, "task"));
};

/**
 * For what leads somewhere at its end: returns whether the person is still where they were when this was called. Who has
 * gone elsewhere meanwhile is not taken away from there.
 */
export const stays = (): (() => boolean) => {
  const from = route.value;
  return () => route.value === from;
};

export const closeTask = (): void => move(withTask(null), leaveTask);

const withTask = (id: string | null): string => {
  const query = new URLSearchParams(route.value.query);
  query.delete("task");
  query.delete("new");
  if (id !== null) query.set("task", id);
  const { view, folder } = route.value;
  const text = query.toString();
  return pathTo({ view, folder }) + (text === "" ? "" : `?${text}`);
};

/** Whether a press on a link just follows it. Others open it in a tab or window of its own, which is the browser's to do. */
export const isPlainPress = ({ button, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey;

/** Follows links within the app without loading the page again. */
export const followLinks = (): void => {
  watchHistory(follow);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a[href^='/tasks']");
    const plain = isPlainPress(event);
    if (!link || !plain || event.defaultPrevented || link.hasAttribute("target")) return;
    event.preventDefault();
    const path = link.getAttribute("href") ?? "/tasks";
    const task = new URL(path, location.origin).searchParams.get("task");
    if (task !== null && path === taskPath(task)) openTask(task);
    else go(path);
  });
};

export const place = computed(() => pathTo(route.value));
