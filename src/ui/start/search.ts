import { computed, effect } from "@preact/signals";
import { compareHits, type Hit, prepareSearch, searchHits } from "../../client/search.ts";
import type { TaskView } from "../../client/views.ts";
import { isWhole, tasks } from "../state/client.ts";
import { found, NOTHING_FOUND, searchText } from "../state/lists.ts";
import { doneTasks, openTasks } from "../state/open.ts";
import { route } from "../state/route.ts";
import { typedIn } from "../state/typed.ts";

const AT_ONCE = 250;

/** Milliseconds for which a search may keep the page from drawing. */
const TURN = 12;

const isSearching = computed(() => route.value.view === "search" && searchText.value.trim() !== "");

/**
 * Searches at each keystroke and each change. The first search in a task prepares its text, which takes 0.3 s for
 * 10,000 tasks: what is found by then is shown, and the rest follows.
 */
export const watchSearch = (): void => {
  const typed = typedIn("Search");
  if (searchText.peek() === "") searchText.value = typed.peek();
  effect(() => {
    typed.value = searchText.value;
  });
  effect(() => {
    if (!isSearching.value) {
      found.value = NOTHING_FOUND;
      return;
    }
    if (!isWhole.value) {
      found.value = { tasks: [], searching: true };
      return;
    }
    return searchInTurns([...openTasks.value, ...doneTasks.value], searchText.value);
  });
};

/** Returns a function that ends the search. */
const searchInTurns = (list: readonly TaskView[], text: string): (() => void) => {
  let hits: readonly Hit[] = [];
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = (): void => {
    const end = performance.now() + TURN;
    const more: Hit[] = [];
    do {
      more.push(...searchHits(list.slice(at, at + AT_ONCE), text));
      at += AT_ONCE;
    } while (at < list.length && performance.now() < end);
    const searching = at < list.length;
    hits = [...hits, ...more].toSorted(compareHits);
    found.value = { tasks: hits.map(({ task }) => task), searching };
    if (searching) timer = setTimeout(turn);
  };
  turn();
  return () => clearTimeout(timer);
};

/** Prepares the search while nothing else is to be done: at the start, and again for what has changed since. */
export const warmSearch = (): void => {
  effect(() => {
    void tasks.value;
    if (!isWarming) warmSome();
  });
};

let isWarming = false;

const warmSome = (): void => {
  isWarming = true;
  whenIdle(() => {
    isWarming = false;
    if (!prepareSearch(tasks.peek().values(), AT_ONCE)) warmSome();
  });
};

/** Safari has no idle callback. */
const whenIdle = (run: () => void): void => {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run);
  else setTimeout(run, 50);
};
