import { computed } from "@preact/signals";
import { listTasks } from "../../client/lists.ts";
import { records } from "./client.ts";

export const openTasks = computed(() => listTasks(records.value, { kind: "open" }));

/** The task that receives what is filed without one. It has a view of its own. */
export const inboxTask = computed(() => listTasks(records.value, { kind: "inbox" })[0] ?? null);
