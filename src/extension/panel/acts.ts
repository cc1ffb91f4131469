import { connected } from "../connect/connected.ts";
import { effect, signal } from "@preact/signals";
import { toggled } from "../../domain/base/toggled.ts";
import { show } from "../../ui/state/overlay.ts";
import type { Outside } from "../../ui/list/drag.ts";
import { count } from "../../ui/words/names.ts";
import { markdownLink } from "../../ui/words/links.ts";
import { browser, type Tab } from "../browser/api.ts";
import { saveOpenTabs } from "../parts/saving.ts";
import type { Destination } from "../save/request.ts";
import { isOwnPage, savableTitle, savableUrl, readSettings } from "../save/savable.ts";
import { type Connection } from "../connect/connection.ts";
import { urlOf } from "../save/tabs.ts";
import { canSave } from "./tabs.ts";
import { showClient, state, tasks } from "../../ui/state/client.ts";
import type { Client } from "../../client/client.ts";
import { askWorker } from "../background/messages.ts";
import { windowsOfTasks } from "../parts/task-window.tsx";
import { wakeToPush } from "../core/wake.ts";

/** The numbers of the open tabs that are selected. */
export const selectedTabs = signal<ReadonlySet<number>>(new Set());

export const toggleTab = (id: number): void => {
  selectedTabs.value = toggled(selectedTabs.value, id);
};

/** Returns whether the tabs are saved. */
const save = async (
  tabs: readonly Tab[],
  place: Destination,
  isWindow = false,
): Promise<boolean> => {
  const { close } = await readSettings();
  const ids = tabs.flatMap(({ id }) => id ?? []);
  const isSaved = (await saveOpenTabs(ids, place, { isWindow, close })) !== null;
  if (isSaved) selectedTabs.value = new Set();
  return isSaved;
};

/** Asks for the task, then saves tabs into it. Of a whole window, the pages of the server itself are left out. */
export const askAndSave = (tabs: readonly Tab[], isWindow = false): void => {
  const server = isWindow ? (connected.value?.server ?? null) : null;
  const saved = tabs.filter((tab) => canSave(tab) && !isOwnPage(urlOf(tab), server));
  show({
    kind: "pick-task",
    label: `Save ${count(saved.length, "tab")} to a task`,
    onPick: ({ id, name }) => {
      const place =
        id === undefined
          ? ({ kind: "new", title: name } as const)
          : ({ kind: "task", id } as const);
      return save(tabs, place, isWindow);
    },
  });
};

/** What the app's lists and tasks take when open tabs are dropped on them. */
export const dragOf = (tabs: readonly Tab[]): Outside => ({
  kind: "outside",
  text: tabs.flatMap(linkOf).join("\n"),
  saveTo: (taskId) =>
    void save(tabs, taskId === null ? { kind: "inbox" } : { kind: "task", id: taskId }),
});

const linkOf = (tab: Tab): readonly string[] => {
  const url = savableUrl(urlOf(tab));
  if (url === null) return [];
  return [markdownLink({ url, title: savableTitle(tab.title, urlOf(tab)) || url })];
};

/** Brings a tab to the front. */
export const goTo = ({ id }: Tab): void => {
  if (id !== undefined) void browser.tabs.update(id, { active: true }).catch(() => {});
};

let shown: Client | null = null;

/** Shows an account's store, and keeps it in step with the server while someone looks at the panel. */
export const showAccount = (now: Connection | null, client: Client): void => {
  connected.value = now;
  if (client !== shown) showClient(client);
  shown = client;
  keepInStep();
};

const keepInStep = (): void => {
  if (connected.value?.token == null || document.hidden) shown?.pause();
  else shown?.live();
};

/** Call it once. */
export const watchStep = (): void => {
  document.addEventListener("visibilitychange", keepInStep);
  // What comes here from elsewhere is opened in the window of its task, and only the worker can.
  effect(() => {
    void tasks.value;
    if (windowsOfTasks.value.length > 0) void askWorker("step", null);
  });
  // The panel may be closed between the store and the server. Then the worker finishes.
  let waited = false;
  effect(() => {
    const waits = state().waiting > 0 && connected.value?.token != null;
    if (waits && !waited) void wakeToPush();
    waited = waits;
  });
};
