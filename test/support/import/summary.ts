import type { Import } from "../../../src/import/model.ts";
import type { Unreadable } from "../../../src/import/model.ts";

/** What an import makes, in the form of the files with what is expected. The order of what is skipped is free. */
export const summaryOf = (read: Import | Unreadable): unknown => {
  if ("error" in read) return read;
  const { format, tasks, skipped } = read;
  const folders = [...new Set(tasks.map(({ folder }) => folder))];
  const count = (list: "notes" | "tabs"): number =>
    tasks.reduce((sum, task) => sum + task[list].length, 0);
  return {
    format,
    folders: folders.map((name) => ({ name })),
    tasks: tasks.map((task) => ({
      folder: task.folder,
      title: task.title,
      status: task.status,
      due: task.due,
      colour: task.colour,
      tags: task.tags,
      groups: task.groups,
      notes: task.notes,
      tabs: task.tabs.map(({ url, title, pinned, group, addedAt }) => ({
        url,
        title,
        pinned,
        group: group === null ? null : task.groups[group]?.title,
        added_at: addedAt,
      })),
    })),
    skipped: skipped.map(({ what, reason }) => `${reason} ${what}`).toSorted(),
    counts: {
      folders: folders.length,
      tasks: tasks.length,
      tabs: count("tabs"),
      notes: count("notes"),
      skipped: skipped.length,
    },
  };
};
