import { computed, signal } from "@preact/signals";
import type { TaskView } from "../../client/views.ts";
import { agentTasks } from "./lists.ts";

const PLACE = "docket-agents-seen";

/** Until when the person has looked at what agents did, as ISO text: at everything, and at single tasks later. */
type Looked = { readonly all: string; readonly tasks: Readonly<Record<string, string>> };

const read = (): Looked => {
  const text = localStorage.getItem(PLACE) ?? "";
  return text.startsWith("{") ? (JSON.parse(text) as Looked) : { all: text, tasks: {} };
};

const looked = signal(read());

const note = (now: Looked): void => {
  localStorage.setItem(PLACE, JSON.stringify(now));
  looked.value = now;
};

/** Until when the person has looked at a task. */
export const lookedUntil = ({ id }: TaskView): string => {
  const { all, tasks } = looked.value;
  return newest([all, tasks[id] ?? ""]);
};

const newest = (times: readonly string[]): string => times.toSorted().at(-1) ?? "";

/** When an agent last did something to a task that it made, or last filed something in another. */
const agentWasAt = ({ madeBy, updatedAt, tabs, notes }: TaskView): string =>
  madeBy.author === "agent"
    ? updatedAt
    : newest(
        [...tabs, ...notes]
          .filter((child) => child.madeBy.author === "agent")
          .map(({ addedAt }) => addedAt ?? updatedAt),
      );

export const isNewFromAgents = (task: TaskView): boolean => agentWasAt(task) > lookedUntil(task);

/** What agents made or changed since the person looked. */
export const newFromAgents = computed(() => agentTasks.value.filter(isNewFromAgents));

/** The person keeps what agents did to a task so far. Returns what takes that back. */
export const keep = ({ id, updatedAt }: TaskView): (() => void) => {
  const before = looked.value;
  note({ ...before, tasks: { ...before.tasks, [id]: updatedAt } });
  return () => note(before);
};

/** The person keeps everything that agents did so far. Returns what takes that back. */
export const keepAll = (): (() => void) => {
  const before = looked.value;
  note({ all: newest(agentTasks.value.map(({ updatedAt }) => updatedAt)), tasks: {} });
  return () => note(before);
};

/** Other windows of this browser have looked too. */
export const watchLooked = (): void =>
  addEventListener("storage", (event: Event) => {
    if ((event as StorageEvent).key === PLACE) looked.value = read();
  });
