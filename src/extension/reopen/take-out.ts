import type { Edit } from "../../client/edit.ts";
import { isObject, listField } from "../../domain/base/payload.ts";
import { childId } from "../../domain/tasks/child.ts";

/** Removes tabs from a task, as far as they are still there. */
export const takeOut =
  (taskId: string, entries: readonly string[]): Edit =>
  async (desk) => {
    const task = await desk.read("sync_tasks", taskId);
    if (task === null) return;
    const all = listField(task, "pages");
    const pages = all.filter((page) => !isObject(page) || !entries.includes(childId(page) ?? ""));
    if (pages.length < all.length) await desk.write("sync_tasks", taskId, { ...task, pages });
  };
