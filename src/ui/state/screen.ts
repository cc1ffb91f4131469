import { computed, signal } from "@preact/signals";
import type { ChildName } from "../../client/children.ts";
import type { TaskView } from "../../client/views.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { settings } from "./settings.ts";
import { isoDay } from "../words/dates.ts";

/** Whether this is a page of the extension. It has one address, and is narrow without being a phone. */
export const isInExtension = location.pathname.endsWith(".html");

const coarse = matchMedia(isInExtension ? "not all" : "(max-width: 700px), (pointer: coarse)");

const isCoarse = signal(coarse.matches);
coarse.addEventListener("change", () => (isCoarse.value = coarse.matches));

/** How high a row of a list is: taller where fingers press. The style sheet has the same heights. */
export const rowHeight = computed(() => {
  if (isCoarse.value) return 52;
  return settings.value.density === "compact" ? 32 : 38;
});

const narrow = matchMedia("(max-width: 1040px)");

/** Whether an open task lies over the list, as the style sheet has it. The extension's panel shows one at a time anyway. */
export const isNarrow = signal(!isInExtension && narrow.matches);
narrow.addEventListener("change", () => (isNarrow.value = !isInExtension && narrow.matches));

/** What the page around the views does for them. The web app and the extension's side panel differ in it. */
type Shell = {
  /** Whether this is the web app, which can sign out and has a bookmarklet. */
  isWebApp: boolean;
  /** The server's origin; null if the panel has none yet. */
  server: () => string | null;
  /** Goes to a page of the account area. */
  leave: (path: string) => void;
  /**
   * Opens tabs of a task in the browser; with `asGroup`, those that are not open yet, in a group named after the task. Null
   * where the page can only open addresses.
   */
  openTabs: ((taskId: string, tabs: readonly ChildName[], asGroup?: boolean) => void) | null;
  /** What else can be done with a task here. */
  taskItems: (task: TaskView) => readonly MenuItem[];
};

export const shell: Shell = {
  isWebApp: true,
  server: () => location.origin,
  leave: (path) => location.assign(path),
  openTabs: null,
  taskItems: () => [],
};

/** The day that it is where the person is, `YYYY-MM-DD`. */
export const today = signal(isoDay(new Date()));

const look = (): void => {
  today.value = isoDay(new Date());
};

/** Notices midnight, also after the machine slept. */
export const watchToday = (): void => {
  setInterval(look, 30_000);
  document.addEventListener("visibilitychange", look);
};
