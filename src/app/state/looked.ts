import { computed, signal } from "@preact/signals";
import { agentTasks } from "./lists.ts";

const PLACE = "docket-agents-seen";

/** Until when the person has looked at what agents did, as ISO text. */
const lookedAt = signal(localStorage.getItem(PLACE) ?? "");

/** What agents made or changed since then. */
export const newFromAgents = computed(() =>
  agentTasks.value.filter(({ updatedAt }) => updatedAt > lookedAt.value),
);

export const isNewFromAgents = (updatedAt: string): boolean => updatedAt > lookedAt.value;

/** The person keeps everything that agents did so far. */
export const keepAll = (): void => {
  const newest =
    agentTasks.value
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .at(-1) ?? "";
  localStorage.setItem(PLACE, newest);
  lookedAt.value = newest;
};
