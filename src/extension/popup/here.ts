import { connected } from "../connect/connected.ts";
import { computed, signal } from "@preact/signals";
import { toggled } from "../../domain/base/toggled.ts";
import { isSeen } from "../../domain/base/text.ts";
import { browser, type Tab, type TabGroup } from "../browser/api.ts";
import { titleFor } from "../save/place.ts";
import { isOwnPage, savableUrl } from "../save/savable.ts";
import { urlOf } from "../save/tabs.ts";

/** What the popup can save: the tabs of the window in which it was opened. */
type Here = {
  readonly tabs: readonly Tab[];
  readonly active: Tab | null;
  /** The group of the active tab. */
  readonly group: TabGroup | null;
};

export const here = signal<Here>({ tabs: [], active: null, group: null });

export const readHere = async (): Promise<void> => {
  const tabs = await browser.tabs.query({ currentWindow: true });
  const active = tabs.find((tab) => tab.active) ?? null;
  const id = active?.groupId ?? -1;
  const group = id < 0 ? null : await (browser.tabGroups?.get(id) ?? null);
  here.value = { tabs, active, group };
};

/** One of the things that can be saved. */
export type What = "group" | "selected" | "tab" | "window";

export type Offer = {
  readonly what: What;
  readonly name: string;
  readonly tabs: readonly Tab[];
  /** Those of them that are left out: the pages of the server itself, of a window. */
  readonly ownPages: readonly Tab[];
  /** The title of a new task for them. */
  readonly title: string;
};

/** What is offered: only what differs from the others. */
export const offers = computed((): readonly Offer[] => {
  const { tabs, active, group } = here.value;
  const selected = tabs.filter(({ highlighted }) => highlighted);
  const inGroup = group ? tabs.filter(({ groupId }) => groupId === group.id) : [];
  const all: readonly (Offer | null)[] = [
    active && offerOf("tab", "This tab", [active]),
    selected.length > 1 ? offerOf("selected", "Selected tabs", selected) : null,
    group && {
      ...offerOf("group", isSeen(group.title) ? `“${group.title}”` : "Group", inGroup),
      ...(isSeen(group.title) ? { title: group.title } : {}),
    },
    tabs.length > 1 ? offerOf("window", "Window", tabs) : null,
  ];
  return all.filter((offer) => offer !== null);
});

const offerOf = (what: What, name: string, tabs: readonly Tab[]): Offer => {
  const server = what === "window" ? (connected.value?.server ?? null) : null;
  const ownPages = tabs.filter((tab) => isOwnPage(urlOf(tab), server));
  const title = titleFor(tabs.filter((tab) => !ownPages.includes(tab)));
  return { what, name, tabs, ownPages, title };
};

const picked = signal<What | null>(null);

/** What is saved: what was picked, or else the selected tabs if there are several, or else this tab. */
export const offer = computed((): Offer | null => {
  const wanted = picked.value ?? "selected";
  return offers.value.find(({ what }) => what === wanted) ?? offers.value[0] ?? null;
});

export const pick = (what: What): void => {
  picked.value = what;
};

/** The browser's numbers of the tabs that are not to be saved this time. */
export const leftOutTabs = signal<ReadonlySet<number>>(new Set());

export const toggleTab = (id: number): void => {
  leftOutTabs.value = toggled(leftOutTabs.value, id);
};

/** The tabs of the offer that can be saved. */
export const savableTabs = computed((): readonly Tab[] => {
  const { tabs = [], ownPages = [] }: Partial<Offer> = offer.value ?? {};
  return tabs.filter((tab) => savableUrl(urlOf(tab)) !== null && !ownPages.includes(tab));
});

/** Those of them that are to be saved. */
export const pickedTabs = computed(() =>
  savableTabs.value.filter(({ id = -1 }) => !leftOutTabs.value.has(id)),
);

/** What the popup shows: saving, the list of tasks to open, or one of them. */
export type Screen =
  | { readonly kind: "save" }
  | { readonly kind: "tasks" }
  | { readonly kind: "task"; readonly id: string };

export const screen = signal<Screen>({ kind: "save" });

/** Whether tabs are closed once they are saved, this time. */
export const closes = signal(false);

/** Whether tabs leave their task once they are open. */
export const takesOut = signal(false);

/** The task that something was last saved to. */
export const lastTaskId = signal<string | null>(null);
