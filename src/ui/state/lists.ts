import { computed, signal } from "@preact/signals";
import { isInTrash, isUnsorted, type ListName, listTasks } from "../../client/lists.ts";
import { wordsOf } from "../../client/search.ts";
import { isInbox, type TaskView } from "../../client/views.ts";
import { tagKey } from "../../domain/tasks/tags.ts";
import { openColumns } from "./board.ts";
import { records } from "./client.ts";
import { doneTasks, inboxTask, openTasks } from "./open.ts";
import { route } from "./route.ts";
import { today } from "./screen.ts";

/** The list that the current view shows; null if the view shows something else. */
const listName = computed((): ListName | null => {
  const { view, folder, query } = route.value;
  switch (view) {
    case "today":
      return { kind: "today", today: today.value };
    case "folder":
      return { kind: "folder", id: folder === "none" ? null : folder };
    case "open": {
      const tag = query.get("tag");
      return tag === null ? { kind: "open" } : { kind: "tag", tag };
    }
    case "done":
    case "trash":
      return { kind: view };
    case "agents":
      return { kind: "from-agents" };
    default:
      return null;
  }
});

export const todayTasks = computed(() =>
  listTasks(records.value, { kind: "today", today: today.value }),
);
/** What waits in the Inbox, beside the links that are in no task: tasks that nobody has put anywhere. */
export const unsortedTasks = computed(() =>
  openTasks.value.filter((task) => !isInbox(task) && isUnsorted(records.value, task)),
);
/** Those of today that were due before. They come first. */
export const lateTasks = computed(() =>
  todayTasks.value.filter(({ due }) => due !== null && due < today.value),
);
/** The inbox has a view of its own. */
const withoutInbox = (list: readonly TaskView[]): readonly TaskView[] =>
  list.filter(({ id }) => id !== inboxTask.value?.id);
export const agentTasks = computed(() =>
  withoutInbox(listTasks(records.value, { kind: "from-agents" })),
);

/** What waits until the person keeps or dismisses it. */
export const proposedTasks = computed(() => listTasks(records.value, { kind: "proposed" }));

/** The tasks of the current view, in their order. */
export const shownTasks = computed((): readonly TaskView[] => {
  if (route.value.view === "search") return found.value.tasks;
  if (route.value.view === "board") return openColumns.value.flatMap(({ tasks }) => tasks);
  if (route.value.view === "inbox") return unsortedTasks.value;
  const name = listName.value;
  if (name === null) return [];
  if (name.kind === "open") return withoutInbox(openTasks.value);
  if (name.kind === "today") return todayTasks.value;
  if (name.kind === "done") return doneTasks.value;
  return name.kind === "from-agents" ? agentTasks.value : listTasks(records.value, name);
});

/** Whether a task is in the trash: deleted, or in a trash bucket. */
export const isThrownAway = (task: TaskView): boolean =>
  task.deletedAt !== null || isInTrash(records.value, task);

/** How many open tasks each folder has. */
export const folderCounts = computed(() => {
  const counts = new Map<string, number>();
  for (const { folderId } of openTasks.value)
    if (folderId !== null) counts.set(folderId, (counts.get(folderId) ?? 0) + 1);
  return counts;
});

/** Every tag in use, the most used first, each in its first spelling. */
export const allTags = computed(() => {
  const uses = Map.groupBy(
    openTasks.value.flatMap(({ tags }) => tags),
    tagKey,
  );
  return [...uses.values()].toSorted((a, b) => b.length - a.length).map(([first = ""]) => first);
});

/** What the person typed into the search. */
export const searchText = signal(route.peek().query.get("q") ?? "");

/** The words of it, as the search compares them. */
export const searchWords = computed(() => wordsOf(searchText.value));

type Found = {
  readonly tasks: readonly TaskView[];
  /** Whether tasks are left in which nobody has looked yet. */
  readonly searching: boolean;
};

export const NOTHING_FOUND: Found = { tasks: [], searching: false };

/** What the search has found so far. */
export const found = signal(NOTHING_FOUND);

/** Whether the current list can be arranged by hand. Others have an order of their own. */
export const canArrange = (): boolean =>
  ["folder", "inbox", "open", "today"].includes(route.value.view) && !route.value.query.has("tag");

/** Whether the browser keeps this copy even if it runs out of room; null if it does not say. */
export const isKept = signal<boolean | null>(null);

/** Whether the last edit did not reach this browser's store. Nothing then says that all is saved. */
export const isUnsaved = signal(false);
