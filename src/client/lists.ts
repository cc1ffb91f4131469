import type { ClientState } from "./client.ts";
import type { TaskView } from "./views.ts";

// The lists of tasks that screens show, in their order: `position`, then the newest. All are made from the state
// alone, and fast enough to be made anew after each change.

/** Which tasks a list holds. */
export type ListName =
  /** The task that receives what agents file (`Agent unsorted`). */
  | { readonly kind: "inbox" }
  /** Open tasks that are due today, or were due before. `today` is `YYYY-MM-DD`, where the person is. */
  | { readonly kind: "today"; readonly today: string }
  | { readonly kind: "open" }
  /** Open tasks of a folder; of no folder for null. */
  | { readonly kind: "folder"; readonly id: string | null }
  /** Open tasks of a bucket; of no bucket for null. */
  | { readonly kind: "bucket"; readonly id: string | null }
  | { readonly kind: "tag"; readonly tag: string }
  /** Closed tasks, the last closed first. */
  | { readonly kind: "done" }
  /** Tasks in a trash bucket, and deleted ones that can be revived. */
  | { readonly kind: "trash" }
  /** Live tasks that an agent made, or in which an agent filed a tab or note, the last changed first. */
  | { readonly kind: "from-agents" };

type Records = Pick<ClientState, "tasks" | "folders" | "buckets" | "deletedTasks">;

export const listTasks = (_records: Records, _list: ListName): readonly TaskView[] => [];
