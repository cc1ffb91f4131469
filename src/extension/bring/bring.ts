import type { Client } from "../../client/client.ts";
import { addTabs, createFolder, createTask } from "../../client/edits.ts";
import type { Edit } from "../../client/edit.ts";
import type { TaskView } from "../../client/views.ts";
import { foldersNamed } from "../../domain/tasks/folder.ts";
import { listField, type Payload } from "../../domain/base/payload.ts";
import { placeBehind } from "../../domain/tasks/positions.ts";
import {
  MOST_TABS,
  partsOf,
  type TabToImport,
  type TaskToImport,
} from "../../domain/tasks/imported.ts";
import { finish } from "../../import/finish.ts";
import type { Entry, ImportedTask } from "../../import/model.ts";

/** What came of an import. */
export type Brought = {
  readonly tasks: number;
  readonly tabs: number;
  /** Tasks that are there already. */
  readonly known: number;
  /** Links that no task can hold, such as the browser's own pages, and those that a task has twice. */
  readonly leftOut: number;
};

/** Tasks of one edit: it is one step for the person, and one transaction for the store. */
const AT_ONCE = 200;

/**
 * Puts links of this browser into tasks of the store, by the rules of every import: what is there stays as it is, and a task
 * of the same name in the same folder gets only the tabs that it lacks. `tool` names the folder for what has none.
 */
export const bring = async (
  client: Client,
  tool: string,
  entries: readonly Entry[],
): Promise<Brought> => {
  await client.whole;
  const named = [...client.state().folders.values()];
  const { tasks, skipped } = finish({ format: "browser", tool, entries, skipped: [] });
  const folders = new Map<string, string>();
  const places = new Map<string, string>();
  const edits: Edit[] = [];
  const brought = { tasks: 0, tabs: 0, known: 0, leftOut: skipped.length };
  const folderFor = (name: string): string => {
    const known = folders.get(name) ?? foldersNamed(named, name)[0]?.id;
    const id = known ?? client.newId();
    if (known === undefined) edits.push(createFolder({ id, name }));
    folders.set(name, id);
    return id;
  };
  for (const task of tasks) {
    const there = tasksLike(client, task);
    const held = new Set(there.flatMap(({ tabs }) => tabs.map(({ url }) => url)));
    const missing = task.tabs.filter(({ url }) => !held.has(url));
    if (there.length > 0) brought.known += 1;
    if (there.length > 0 && missing.length === 0) continue;
    brought.tabs += missing.length;
    const [last] = there.slice(-1);
    const room = last ? missing.slice(0, Math.max(0, MOST_TABS - last.tabs.length)) : [];
    if (last && room.length > 0)
      edits.push(
        addTabs(
          last.id,
          room.map((tab) => ({ url: tab.url, title: tab.title })),
        ),
      );
    const rest = { ...task, tabs: missing.slice(room.length) };
    if (there.length > 0 && rest.tabs.length === 0) continue;
    const folderId = folderFor(task.folder);
    for (const part of partsOf(rest)) {
      brought.tasks += 1;
      const position = placeBehind(places.get(folderId) ?? lastPlace(client, folderId));
      places.set(folderId, position);
      edits.push(newTask(client.newId(), part, { folderId, position }));
    }
  }
  for (let at = 0; at < edits.length; at += AT_ONCE)
    await client.edit("Imported", edits.slice(at, at + AT_ONCE));
  return brought;
};

/** The live tasks of the same name in a folder of the same name, and those that go on with them. */
const tasksLike = (client: Client, { folder, title }: ImportedTask): readonly TaskView[] => {
  const { tasks, folders } = client.state();
  return [...tasks.values()].filter(
    (task) =>
      folders.get(task.folderId ?? "")?.name === folder &&
      (task.title === title || isPartOf(task.title, title)),
  );
};

const isPartOf = (title: string, whole: string): boolean =>
  title.startsWith(`${whole} (`) && /^\(\d+\)$/.test(title.slice(whole.length + 1));

const lastPlace = (client: Client, folderId: string): string | null => {
  const places = [...client.state().tasks.values()].flatMap((task) =>
    task.folderId === folderId && task.position !== null ? [task.position] : [],
  );
  return places.toSorted().at(-1) ?? null;
};

type Place = { readonly folderId: string; readonly position: string };

const newTask =
  (id: string, part: TaskToImport, place: Place): Edit =>
  async (desk) => {
    const groups = part.groups.map((group) => ({ id: desk.newId(), ...lookOf(group) }));
    await createTask({ id, title: part.title, ...place })(desk);
    const made = (await desk.read("sync_tasks", id)) ?? {};
    const pages = part.tabs.map((tab) => pageOf(tab, desk, groups[tab.group ?? -1]?.id));
    await desk.write("sync_tasks", id, {
      ...made,
      pages: [...listField(made, "pages"), ...pages],
      ...(groups.length > 0 ? { groups } : {}),
    });
  };

const lookOf = ({ title, colour }: TaskToImport["groups"][number]): Payload =>
  colour === null ? { title } : { title, colour };

const pageOf = (
  { url, title, pinned, addedAt }: TabToImport,
  { newId, now }: { readonly newId: () => string; readonly now: string },
  group: string | undefined,
): Payload => ({
  id: newId(),
  url,
  title,
  ...(group === undefined ? {} : { group }),
  ...(pinned ? { pinned } : {}),
  added_at: addedAt ?? now,
});
