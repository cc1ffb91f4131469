import { computed, signal } from "@preact/signals";
import type { Client, ClientState, SyncState } from "../../client/client.ts";
import { folderTree } from "../../client/folder-tree.ts";
import { listBuckets, listFolders } from "../../client/lists.ts";

const opened = signal<Client | null>(null);
const current = signal<ClientState | null>(null);

/** How the last sync ended. While the next one runs, what is wrong is still said. */
export const lastSync = signal<SyncState>({ kind: "idle" });

/** Shows a client's state in all views from now on. */
export const showClient = (client: Client): void => {
  opened.value = client;
  const follow = (): void => {
    const now = client.state();
    current.value = now;
    if (now.sync.kind !== "syncing") lastSync.value = now.sync;
  };
  follow();
  client.subscribe(follow);
};

/** The client. Views are drawn only once there is one. */
export const client = (): Client => {
  if (opened.value === null) throw new Error("No store is open.");
  return opened.value;
};

/** What the store holds now. A view that reads it is drawn again when it changes. */
export const state = (): ClientState => current.value ?? client().state();

/** Whether tasks have their tabs and notes: see `isWhole` of the client's state. */
export const isWhole = computed(() => state().isWhole);

/** The ids of tasks in which a title gave way to another. */
export const tasksWithLost = computed(
  () =>
    new Set(
      state()
        .lost.filter(({ table }) => table === "sync_tasks")
        .map(({ id }) => id),
    ),
);

export const tasks = computed(() => state().tasks);
export const foldersById = computed(() => state().folders);
const bucketsById = computed(() => state().buckets);
export const deletedTasks = computed(() => state().deletedTasks);

/** The records alone: lists made of them are not made again while only the sync says something. */
export const records = computed(() => ({
  tasks: tasks.value,
  folders: foldersById.value,
  buckets: bucketsById.value,
  deletedTasks: deletedTasks.value,
}));

export const folders = computed(() => listFolders(records.value));
/** The folders as the side shows them: see `folderTree`. */
export const tree = computed(() => folderTree(folders.value));
export const buckets = computed(() => listBuckets(records.value));
