import type { TabView } from "../../client/views.ts";
import type { Tab } from "../browser/api.ts";
import { isOwnPage, savableUrl } from "../save/savable.ts";
import { comparable, withoutTracking } from "../../domain/tasks/address.ts";
import type { Bound, Followed } from "./bound.ts";

/** What brings a window and its task in step. Nothing is ever closed or removed. */
export type Plan = {
  /** Open tabs whose pages the task does not have. */
  readonly add: readonly Tab[];
  /** Tabs of the task that show another page by now. */
  readonly change: readonly { readonly entry: string; readonly tab: Tab }[];
  /** Tabs of the task that came from elsewhere. */
  readonly open: readonly TabView[];
  /** What is followed from now on, as far as it is in the task already. */
  readonly followed: readonly Followed[];
  readonly known: readonly string[];
};

/**
 * Returns what to do about a window, given its open tabs and those of its task. The pages of the server itself, if there
 * is one, are not saved.
 */
export const planStep = (
  bound: Pick<Bound, "followed" | "known">,
  all: readonly Tab[],
  entries: readonly TabView[],
  server: string | null = null,
): Plan => {
  // A tab that shows such a page is there, and nothing is known of it.
  const tabs = all.map((one) => (isOwnPage(one.url ?? "", server) ? { ...one, url: "" } : one));
  const shown = tabs.flatMap(pageOf);
  const steps = shown.map((one) => stepOf(one, bound.followed, shown, entries));
  const open = new Set(tabs.flatMap(addressOf));
  const addresses = entries
    .filter(({ url }) => savableUrl(url) !== null)
    .map(({ url }) => withoutTracking(url));
  const followed = [
    ...steps.flatMap((step) => (step.kind === "add" ? [] : step.followed)),
    // They are there, but on their way to a page.
    ...bound.followed.filter(({ tabId }) =>
      tabs.some((tab) => tab.id === tabId && !shown.some(({ id }) => id === tabId)),
    ),
    ...tabs.flatMap((tab) => asleepOf(tab, bound.followed, tabs, entries)),
  ];
  return {
    add: steps.flatMap((step) => (step.kind === "add" ? step.tab : [])),
    change: steps.flatMap((step) =>
      step.kind === "change" ? { entry: step.followed.entry, tab: step.tab } : [],
    ),
    open: entries.filter(({ id, url }) => {
      const address = withoutTracking(url);
      // An open tab of it may show the page of before: another page was opened in that of another device.
      const isOpen = open.has(address) || followed.some(({ entry }) => entry === id);
      return savableUrl(url) !== null && !bound.known.includes(address) && !isOpen;
    }),
    followed,
    known: [...new Set([...addresses, ...open])],
  };
};

type Shown = { readonly id: number; readonly page: string; readonly tab: Tab };

const addressOf = ({ url = "", incognito }: Tab): readonly string[] => {
  const savable = savableUrl(url);
  return savable === null || incognito ? [] : [withoutTracking(savable)];
};

/** The page that a tab shows, once it has loaded, if it can be saved. One that sleeps may still lead elsewhere. */
const pageOf = (tab: Tab): readonly Shown[] => {
  const [page] = tab.status === "loading" || tab.discarded ? [] : addressOf(tab);
  return page === undefined || tab.id === undefined ? [] : [{ id: tab.id, page, tab }];
};

/** Chrome gives a tab another number when it puts it to sleep. */
const asleepOf = (
  tab: Tab,
  before: readonly Followed[],
  tabs: readonly Tab[],
  entries: readonly TabView[],
): readonly Followed[] => {
  const { id, discarded } = tab;
  const [page] = addressOf(tab);
  if (!discarded || id === undefined || before.some(({ tabId }) => tabId === id)) return [];
  const entry = entries.find(({ url }) => withoutTracking(url) === page)?.id;
  if (entry == null) return [];
  const awake = before.find(
    (one) => one.entry === entry && tabs.every((other) => other.id !== one.tabId),
  );
  return [{ ...(awake ?? { entry, own: false, page: null }), tabId: id }];
};

type Step =
  | { readonly kind: "add"; readonly tab: Tab }
  | { readonly kind: "change" | "stay"; readonly tab: Tab; readonly followed: Followed };

const stepOf = (
  { id, page, tab }: Shown,
  before: readonly Followed[],
  shown: readonly Shown[],
  entries: readonly TabView[],
): Step => {
  const now = before.find(({ tabId }) => tabId === id);
  // A page that leads on to another one, for example to sign in, is still the page that was opened. So is one in which
  // someone follows a link to another place on the same page.
  if (now && (now.page === null || comparable(now.page) === comparable(page)))
    return { kind: "stay", tab, followed: { ...now, page } };
  const entry = entries.find((one) => one.id !== null && withoutTracking(one.url) === page);
  if (entry?.id != null)
    return { kind: "stay", tab, followed: { tabId: id, entry: entry.id, own: false, page } };
  const isThere = entries.some((one) => one.id === now?.entry);
  const isShared = before.some(
    (one) => one.entry === now?.entry && one.tabId !== id && shown.some((s) => s.id === one.tabId),
  );
  return now?.own && isThere && !isShared
    ? { kind: "change", tab, followed: { ...now, page } }
    : { kind: "add", tab };
};
