import { effect, signal } from "@preact/signals";
import type { TaskView } from "../../client/views.ts";
import { type Ranked, rankTasks } from "../../client/rank.ts";
import { doneTasks, openTasks } from "./open.ts";
import { route } from "./route.ts";

const PLACE = "docket-used";
const MOST = 100;

/** When the person last opened a task in this browser, as ISO text by the task's id, the newest first. */
type Used = Readonly<Record<string, string>>;

const read = (): Used => JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Used;

const used = signal(read());

const note = (id: string): void => {
  const { [id]: _before, ...others } = used.peek();
  const now = [[id, new Date().toISOString()] as const, ...Object.entries(others)].slice(0, MOST);
  used.value = Object.fromEntries(now);
  localStorage.setItem(PLACE, JSON.stringify(used.value));
};

/** Notes each task that is opened, here and in other windows. */
export const watchUsed = (): void => {
  effect(() => {
    const { task } = route.value;
    if (task !== null) note(task);
  });
  addEventListener("storage", () => (used.value = read()));
};

/**
 * Returns the tasks that some typed words find, in the order of `rankTasks`, at most `most`. Without any words, these
 * are the open tasks that were used or changed last.
 */
export const findTasks = (
  text: string,
  most: number,
  isWanted: (task: TaskView) => boolean = () => true,
): readonly Ranked[] => {
  const among = text.trim() === "" ? openTasks.value : [...openTasks.value, ...doneTasks.value];
  return rankTasks(among.filter(isWanted), text, {
    usedAt: ({ id }) => used.value[id] ?? "",
    most,
  });
};
