import { browser, type OpenTab } from "./browser.ts";
import { changed, keyOf } from "./record.ts";
import { change } from "./store.ts";

const table = "sync_tasks";

/** Saves the open tabs of a window as a new task. Leaves out tabs that are not web pages. */
export const saveWindow = async (windowId: number): Promise<void> => {
  const tabs = (await browser.tabs.query({ windowId })).filter(({ url = "" }) =>
    /^https?:/.test(url),
  );
  if (tabs.length === 0) throw new Error("No web page is open in this window.");
  const pages = tabs.map(({ url, title }) => ({ id: crypto.randomUUID(), url, title }));
  const payload = { title: titleOf(tabs), status: "todo", pages };
  const task = { table, id: crypto.randomUUID(), deleted_at: null, payload };
  await change(() => ({ held: [changed(undefined, task)] }));
};

const titleOf = ([first, ...more]: readonly OpenTab[]): string =>
  more.length === 0 ? `${first?.title}` : `${first?.title} and ${more.length} more`;

/** Marks a task as done. Keeps everything else in its payload, because other clients may have put it there. */
export const finishTask = (id: string): Promise<void> =>
  change(({ held }) => {
    const before = held.get(keyOf({ table, id }));
    if (before === undefined) return {};
    const payload = { ...before.row.payload, status: "done" };
    return { held: [changed(before, { ...before.row, payload })] };
  });
