import { computed } from "@preact/signals";
import { listTasks } from "../../client/lists.ts";
import { hasRoom } from "../../client/rank.ts";
import type { TaskView } from "../../client/views.ts";
import { records } from "./client.ts";

export const openTasks = computed(() => listTasks(records.value, { kind: "open" }));

export const doneTasks = computed(() => listTasks(records.value, { kind: "done" }));

const inboxes = computed(() => listTasks(records.value, { kind: "inbox" }));

/** Returns the inbox to which tabs or notes can be added; null if a new one is needed, because the others are full. */
export const inboxFor = (added: readonly unknown[]): TaskView | null =>
  inboxes.value.find(({ payload }) => hasRoom(payload, added)) ?? null;

/** The task that receives what is filed without one. It has a view of its own; a full one is a task like the others. */
export const inboxTask = computed(() => inboxFor([]) ?? inboxes.value[0] ?? null);
