import { isClosed, isListed, isTrashBucket, PROPOSED } from "../domain/tasks/task.ts";
import { eachOnce, isSameTag } from "../domain/tasks/tags.ts";
import {
  comparePlaces,
  type Placed,
  placeOf,
  topPlaces,
  withoutTime,
} from "../domain/tasks/positions.ts";
import type { NewTask } from "./edits.ts";
import type { ClientState } from "./state.ts";
import { type BucketView, type FolderView, isInbox, type TaskView } from "./views.ts";

// The lists that screens show, in their order. All are made from the state alone, and fast enough to be made anew
// after each change.

/** Which tasks a list holds. */
export type ListName =
  /** The open tasks that receive what agents file (`Agent unsorted`): one, unless a person made more. */
  | { readonly kind: "inbox" }
  /** Open tasks that are due today, or were due before, the earliest first. `today` is `YYYY-MM-DD`, where the person is. */
  | { readonly kind: "today"; readonly today: string }
  | { readonly kind: "open" }
  /** Open tasks of a folder; for null, those in no folder, or in one that was deleted. */
  | { readonly kind: "folder"; readonly id: string | null }
  /** Open tasks of a bucket; for null, those in no bucket, or in one that was deleted. */
  | { readonly kind: "bucket"; readonly id: string | null }
  | { readonly kind: "tag"; readonly tag: string }
  /** Closed tasks, the last changed first. */
  | { readonly kind: "done" }
  /** Tasks in a trash bucket, and deleted ones that can be revived, the last changed first. */
  | { readonly kind: "trash" }
  /** Tasks that an agent made, or in which an agent filed a tab or note, open or closed, the last changed first. */
  | { readonly kind: "from-agents" }
  /** Tasks that an agent proposed, until a person keeps or dismisses them. */
  | { readonly kind: "proposed" };

type Records = Pick<ClientState, "buckets" | "deletedTasks" | "folders" | "tasks">;

export const listTasks = (records: Records, list: ListName): readonly TaskView[] => {
  const tasks = [...records.tasks.values()];
  const isOpen = (task: TaskView): boolean => isOpenTask(records, task);
  switch (list.kind) {
    case "inbox":
      return tasks.filter((task) => isInbox(task) && isOpen(task)).toSorted(arranged);
    case "today":
      return tasks
        .filter(({ due }) => due !== null && due <= list.today)
        .filter(isOpen)
        .toSorted((a, b) => compare(a.due ?? "", b.due ?? "") || arranged(a, b));
    case "open":
      return tasks.filter(isOpen).toSorted(arranged);
    case "folder":
      return tasks
        .filter(({ folderId }) => known(records.folders, folderId) === list.id)
        .filter(isOpen)
        .toSorted(arranged);
    case "bucket":
      return tasks
        .filter(({ bucketId }) => known(records.buckets, bucketId) === list.id)
        .filter(isOpen)
        .toSorted(arranged);
    case "tag":
      return tasks
        .filter(({ tags }) => tags.some((tag) => isSameTag(tag, list.tag)))
        .filter(isOpen)
        .toSorted(arranged);
    case "done":
      return tasks
        .filter((task) => isClosed(task.status) && !isInTrash(records, task))
        .toSorted(newestFirst);
    case "trash":
      return [
        ...tasks.filter((task) => isInTrash(records, task)),
        ...records.deletedTasks.values(),
      ].toSorted(newestFirst);
    case "from-agents":
      return tasks
        .filter((task) => isFromAgents(task) && !isProposed(task) && !isInTrash(records, task))
        .toSorted(newestFirst);
    case "proposed":
      return tasks
        .filter((task) => isProposed(task) && !isInTrash(records, task))
        .toSorted(newestFirst);
  }
};

/** Whether nobody has put a task anywhere: it has no folder, no day and no column. */
export const isUnsorted = (
  { buckets, folders }: Records,
  { bucketId, due, folderId }: TaskView,
): boolean =>
  due === null && known(folders, folderId) === null && known(buckets, bucketId) === null;

/** Whether a task is neither closed nor in the trash, nor waits to be kept. */
export const isOpenTask = (records: Records, task: TaskView): boolean =>
  isListed(task.status) && !isInTrash(records, task);

/** Whether an agent proposed a task, and no person has kept it yet. */
export const isProposed = ({ status }: Pick<TaskView, "status">): boolean => status === PROPOSED;

export const isInTrash = ({ buckets }: Records, { bucketId }: TaskView): boolean =>
  bucketId !== null && isTrashBucket(bucketId, buckets.get(bucketId)?.payload ?? null);

/** Whether an agent made the task, or anything in it. */
export const isFromAgents = ({ madeBy, tabs, notes }: TaskView): boolean =>
  madeBy.author === "agent" ||
  tabs.some((tab) => tab.madeBy.author === "agent") ||
  notes.some((note) => note.madeBy.author === "agent");

/** All folders, as people arranged them, then by name. */
export const listFolders = ({ folders }: Records): readonly FolderView[] =>
  [...folders.values()].toSorted(byPositionThenName);

/** All buckets, in the order of the board's columns. */
export const listBuckets = ({ buckets }: Records): readonly BucketView[] =>
  [...buckets.values()].toSorted(byPositionThenName);

/** All tags of open tasks, in alphabetical order. */
export const listTags = (records: Records): readonly string[] => {
  const open = [...records.tasks.values()].filter((task) => isOpenTask(records, task));
  return eachOnce(open.flatMap(({ tags }) => tags)).toSorted((a, b) => a.localeCompare(b));
};

/** The id of a folder or bucket that is there; null otherwise. */
const known = (there: ReadonlyMap<string, unknown>, id: string | null): string | null =>
  id !== null && there.has(id) ? id : null;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byPositionThenName = (
  a: Placed & { readonly name: string },
  b: Placed & { readonly name: string },
): number =>
  compare(placeOf(withoutTime(a)), placeOf(withoutTime(b))) ||
  a.name.localeCompare(b.name) ||
  compare(a.id, b.id);

const newestFirst = (a: TaskView, b: TaskView): number =>
  compare(b.updatedAt, a.updatedAt) || compare(a.id, b.id);

const arranged = (a: TaskView, b: TaskView): number => comparePlaces(a, b) || newestFirst(a, b);

/** Returns new tasks at the top of the lists that people arrange, where the one who adds them looks for them. */
export const onTop = <T extends NewTask>(records: Records, added: readonly T[]): readonly T[] => {
  const open = [...records.tasks.values()].filter((task) => isOpenTask(records, task));
  const places = topPlaces(
    open,
    added.map(({ id }) => id),
  );
  return added.map((task) => ({ position: places.get(task.id) ?? null, ...task }));
};
