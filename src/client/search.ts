import { cutText } from "../domain/base/text.ts";
import { searchable, searchText } from "../domain/tasks/search.ts";
import { isClosed } from "../domain/tasks/task.ts";
import { isProposed } from "./lists.ts";
import { INBOX_NAME, isInbox, type TaskView } from "./views.ts";

/**
 * Returns those of `tasks` that hold every word of a query, in their order: in the title, a tab's title or address,
 * a note, a tag. The inbox is found by its name too. A word may be any part of a longer one. Case, accents, punctuation and `https://` do not matter. A
 * query without any word finds all. What an agent proposed is not found before it is kept.
 */
export const searchTasks = (tasks: readonly TaskView[], query: string): readonly TaskView[] => {
  const words = wordsOf(query);
  if (words.length === 0) return tasks;
  return tasks.filter((task) => {
    if (isProposed(task)) return false;
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

/** A task's text as it is searched, and where each part of it ends: title, tags, tabs, notes, addresses. */
type Searched = { readonly text: string; readonly ends: readonly number[] };

/** A view never changes, so its text does not either. */
const texts = new WeakMap<TaskView, Searched>();

/** Returns the name of a task in the form of `plain`. */
export const nameTextOf = (task: TaskView): string => {
  const text = textOf(task);
  return text.slice(1, text.indexOf("\n")).trim();
};

const textOf = (task: TaskView): string => searchedOf(task).text;

const searchedOf = (task: TaskView): Searched => {
  const known = texts.get(task);
  if (known !== undefined) return known;
  const { title, tabs, urls, notes } = searchText(task.payload);
  // Agents say where they filed something by the inbox's title.
  const names = isInbox(task) ? [INBOX_NAME, title] : [title];
  let end = 0;
  const parts = [names, task.tags, [tabs], [notes], [urls]].map(lines);
  const ends = parts.map((part) => (end += part.length + 1));
  const searched = { text: parts.join("\n"), ends };
  texts.set(task, searched);
  return searched;
};

/** The line ends keep a word from matching across two of them, the spaces tell where words begin and end. */
const lines = (parts: readonly string[]): string =>
  parts.map((part) => ` ${plain(part)} `).join("\n");

/** Tasks that a search found, with how well each fits: lower is better. */
export type Hit = { readonly task: TaskView; readonly fit: number };

/**
 * Returns those of `tasks` that hold every word of a query, with how well: all words in the title is best, then in title
 * and tags, then with tabs, with notes, with addresses; within these, whole words before their beginnings, and those before
 * other parts. The server's search has the same order.
 */
export const searchHits = (tasks: readonly TaskView[], query: string): readonly Hit[] => {
  const words = wordsOf(query);
  return searchTasks(tasks, query).map((task) => ({ task, fit: fitOf(searchedOf(task), words) }));
};

const fitOf = ({ text, ends }: Searched, words: readonly string[]): number => {
  const partOf = (sought: string): number => {
    const at = text.indexOf(sought);
    return at === -1 ? Number.POSITIVE_INFINITY : ends.findIndex((end) => at < end);
  };
  const worst = (form: (word: string) => string): number =>
    Math.max(0, ...words.map((word) => partOf(form(word))));
  return Math.min(
    3 * worst((word) => ` ${word} `),
    3 * worst((word) => ` ${word}`) + 1,
    3 * worst((word) => word) + 2,
  );
};

/** Open tasks before closed ones, then as `searchHits` says, then the newest change. */
export const compareHits = (a: Hit, b: Hit): number =>
  Number(isClosed(a.task.status)) - Number(isClosed(b.task.status)) ||
  a.fit - b.fit ||
  (a.task.updatedAt < b.task.updatedAt ? 1 : a.task.updatedAt > b.task.updatedAt ? -1 : 0);

/** The tab or note of a task in which a search found what its title and tags do not have. */
export type Match = { readonly kind: "note" | "tab"; readonly text: string };

export const matchIn = (task: TaskView, query: string): Match | null => {
  const { text, ends } = searchedOf(task);
  const head = text.slice(0, ends[1]);
  const missing = wordsOf(query).filter((word) => !head.includes(word));
  if (missing.length === 0) return null;
  const held = (candidate: string): number => {
    const its = plain(candidate);
    return missing.filter((word) => its.includes(word)).length;
  };
  let [best, most]: [Match | null, number] = [null, 0];
  for (const { title, url } of task.tabs) {
    const [inTitle, inUrl] = [held(title), held(url)];
    if (inTitle > most) [best, most] = [{ kind: "tab", text: title }, inTitle];
    if (inUrl > most) [best, most] = [{ kind: "tab", text: url }, inUrl];
  }
  for (const { text: note } of task.notes) {
    const inNote = held(note);
    if (inNote > most) [best, most] = [{ kind: "note", text: excerpt(note, missing) }, inNote];
  }
  return best;
};

/** How much of a note is shown before the first word that was found, in characters. */
const BEFORE = 24;

const excerpt = (note: string, words: readonly string[]): string => {
  const line = note.replaceAll(/\s+/g, " ").trim();
  const [first] = marksIn(line, words);
  const from = Math.max(0, (first?.[0] ?? 0) - BEFORE);
  const at = from === 0 ? 0 : line.indexOf(" ", from) + 1;
  return `${at > 0 ? "…" : ""}${cutText(line.slice(at), 200)}`;
};

/** Returns where the words of a query (see `wordsOf`) are in a text, as pairs of indexes, in order and apart. */
export const marksIn = (
  text: string,
  words: readonly string[],
): readonly (readonly [from: number, to: number])[] => {
  let folded = "";
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const its = plain(character) || (/\p{M}/u.test(character) ? "" : " ");
    for (let index = 0; index < its.length; index += 1) places.push(at);
    folded += its;
    at += character.length;
  }
  places.push(at);
  const isMarked = new Uint8Array(text.length);
  for (const word of new Set(words.flatMap((one) => one.split(" "))))
    for (let from = folded.indexOf(word); from !== -1; from = folded.indexOf(word, from + 1))
      isMarked.fill(1, places[from], places[from + word.length]);
  const marks: [number, number][] = [];
  for (let index = 0; index < text.length; index += 1) {
    if (isMarked[index] !== 1) continue;
    const last = marks.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else marks.push([index, index + 1]);
  }
  return marks;
};

/** Returns a text as it is compared: without case and accents. Signs become spaces, so that `example.org/a` and `example.org a` are the same. */
export const plain = (text: string): string =>
  searchable(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Co}\p{So}]+/gu, " ")
    .trim();
