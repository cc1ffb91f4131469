import type { ClientState } from "../../client/client.ts";
import { isInTrash } from "../../client/lists.ts";
import type { TaskView } from "../../client/views.ts";
import { savableUrl } from "../save/savable.ts";
import { comparable } from "../../domain/tasks/address.ts";

type Records = Pick<ClientState, "buckets" | "deletedTasks" | "folders" | "tasks">;

let known: {
  readonly tasks: Records["tasks"];
  readonly buckets: Records["buckets"];
  readonly index: ReadonlyMap<string, readonly TaskView[]>;
} | null = null;

/** Returns the tasks that hold a page, those in the trash excepted. Prepared once for each state of the tasks. */
export const tasksWith = (records: Records, address: string): readonly TaskView[] => {
  if (savableUrl(address) === null) return [];
  if (known?.tasks !== records.tasks || known.buckets !== records.buckets) {
    const { tasks, buckets } = records;
    known = { tasks, buckets, index: indexOf(records) };
  }
  return known.index.get(comparable(address)) ?? [];
};

const indexOf = (records: Records): ReadonlyMap<string, readonly TaskView[]> => {
  const index = new Map<string, TaskView[]>();
  for (const task of records.tasks.values()) {
    if (isInTrash(records, task)) continue;
    for (const address of new Set(task.tabs.map(({ url }) => comparableIn(task, url)))) {
      const found = index.get(address);
      if (found) found.push(task);
      else index.set(address, [task]);
    }
  }
  return index;
};

/** A task's addresses are compared again and again, and taking one apart is slow: its own are kept as long as it is. */
const addresses = new WeakMap<TaskView, Map<string, string>>();

const comparableIn = (task: TaskView, url: string): string => {
  const own = addresses.get(task) ?? new Map<string, string>();
  addresses.set(task, own);
  const address = own.get(url) ?? comparable(url);
  own.set(url, address);
  return address;
};
