import { searchable, searchText } from "../domain/tasks/search.ts";
import { INBOX_NAME, isInbox, type TaskView } from "./views.ts";

/**
 * Returns those of `tasks` that hold every word of a query, in their order: in the title, a tab's title or address,
 * a note, a tag. The inbox is found by its name too. A word may be any part of a longer one. Case, accents, punctuation and `https://` do not matter. A
 * query without any word finds all.
 */
export const searchTasks = (tasks: readonly TaskView[], query: string): readonly TaskView[] => {
  const words = wordsOf(query);
  if (words.length === 0) return tasks;
  return tasks.filter((task) => {
    const text = textOf(task);
    return words.every((word) => text.includes(word));
  });
};

/** Whether a name holds every word of a query, as `searchTasks` compares them. */
export const hasWords = (name: string, query: string): boolean => {
  const text = plain(name);
  return wordsOf(query).every((word) => text.includes(word));
};

/** Returns the words of a query, in the form of `plain`. */
export const wordsOf = (query: string): readonly string[] =>
  query
    .split(/\s+/)
    .map(plain)
    .filter((word) => word !== "");

/**
 * Prepares some tasks for the first search, which is slow otherwise. Returns whether all are prepared: if not, call it
 * again when the browser has nothing else to do.
 */
export const prepareSearch = (tasks: Iterable<TaskView>, most = 500): boolean => {
  let left = most;
  for (const task of tasks) {
    if (texts.has(task)) continue;
    if (left === 0) return false;
    left -= 1;
    textOf(task);
  }
  return true;
};

/** The text of each task as it is searched. A view never changes, so its text does not either. */
const texts = new WeakMap<TaskView, string>();

/** Returns the name of a task in the form of `plain`. */
export const nameTextOf = (task: TaskView): string => {
  const text = textOf(task);
  return text.slice(0, text.indexOf("\n"));
};

const textOf = (task: TaskView): string => {
  const known = texts.get(task);
  if (known !== undefined) return known;
  const { title, tabs, urls, notes } = searchText(task.payload);
  // The line ends keep a word from matching across two of them.
  // Agents say where they filed something by the inbox's title.
  const names = isInbox(task) ? [INBOX_NAME, title] : [title];
  const text = [...names, tabs, urls, notes, ...task.tags].map(plain).join("\n");
  texts.set(task, text);
  return text;
};

/** Returns a text as it is compared: without case and accents. Signs become spaces, so that `example.org/a` and `example.org a` are the same. */
export const plain = (text: string): string =>
  searchable(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Co}\p{So}]+/gu, " ")
    .trim();
