import { shownName } from "../../domain/base/text.ts";
import { computed } from "@preact/signals";
import type { TaskFields } from "../../client/edits.ts";
import type { TaskView } from "../../client/views.ts";
import { isTrashBucket, statusName } from "../../domain/tasks/task.ts";
import { STATUSES } from "../words/statuses.ts";
import { buckets } from "./client.ts";
import { doneTasks, inboxTask, openTasks } from "./open.ts";

/** A column of the board: a bucket, or a status while there is no bucket. */
export type Column = {
  readonly key: string;
  readonly name: string;
  /** Whether the column is a bucket, and so the person's to rename, move and delete. */
  readonly isOwn: boolean;
  /** What puts a task into the column. */
  readonly fields: TaskFields;
  readonly tasks: readonly TaskView[];
};

/** The buckets that are columns, in their order. */
export const ownColumns = computed(() =>
  buckets.value.filter(({ id, payload }) => !isTrashBucket(id, payload)),
);

const cards = computed(() => openTasks.value.filter(({ id }) => id !== inboxTask.value?.id));

/** The key of the last column: what was done, the latest first. */
export const DONE = "done";

/** The columns with their tasks. Tasks in no column come first, where there are any, and what is done last. */
export const columns = computed((): readonly Column[] => [...openColumns.value, doneColumn()]);

/** What was done lately. The rest is in the view of its own. */
const MOST_DONE = 20;

const doneColumn = (): Column => ({
  key: DONE,
  name: "Done",
  isOwn: false,
  fields: { status: "done" },
  tasks: doneTasks.value.slice(0, MOST_DONE),
});

export const openColumns = computed((): readonly Column[] => {
  const own = ownColumns.value;
  if (own.length === 0) return statusColumns();
  const known = new Set(own.map(({ id }) => id));
  const loose = cards.value.filter(({ bucketId }) => bucketId === null || !known.has(bucketId));
  const none = { key: "none", name: "No column", isOwn: false, fields: { bucketId: null } };
  return [
    ...(loose.length > 0 ? [{ ...none, tasks: loose }] : []),
    ...own.map(({ id, name }) => ({
      key: id,
      name: shownName(name, "Unnamed column"),
      isOwn: true,
      fields: { bucketId: id },
      tasks: cards.value.filter(({ bucketId }) => bucketId === id),
    })),
  ];
});

const statusColumns = (): readonly Column[] => {
  const used = cards.value.map(({ status }) => status);
  const open = STATUSES.filter((one) => one !== "done" && one !== "cancelled");
  return [...new Set([...open, ...used])].map((status) => ({
    key: status,
    name: statusName(status),
    isOwn: false,
    fields: { status },
    tasks: cards.value.filter((task) => task.status === status),
  }));
};
