import { bytesIn } from "../domain/base/text.ts";
import { isClosed } from "../domain/tasks/task.ts";
import { hasWords, nameTextOf, plain, searchTasks, wordsOf } from "./search.ts";
import { isInbox, type TaskView } from "./views.ts";
import { MAX_PAYLOAD, type Payload, serialise } from "../domain/base/payload.ts";

// The order in which pickers and the palette offer what some typed words find. What is found is up to `search.ts`.

/** How well a name fits some words, the best first. */
const FITS = { whole: 0, beginning: 1, words: 2, less: 3 } as const;
type Fit = (typeof FITS)[keyof typeof FITS];

const fitOf = (name: string, words: readonly string[]): Fit => {
  const phrase = words.join(" ");
  if (name === phrase || phrase === "") return FITS.whole;
  if (name.startsWith(phrase)) return FITS.beginning;
  const spaced = ` ${name}`;
  return words.every((word) => spaced.includes(` ${word}`)) ? FITS.words : FITS.less;
};

/** Returns the rank of a name, as `rankTasks` ranks those of tasks; null if a word of the query is not in it. */
export const rankName = (name: string, query: string): number | null => {
  return hasWords(name, query) ? rankOf(fitOf(plain(name), wordsOf(query))) : null;
};

/** A task that a query found. Lower ranks come first. */
export type Ranked = { readonly task: TaskView; readonly rank: number };

type RankOptions = {
  /** When the person last used a task, as ISO text; an empty text if that is not known. */
  readonly usedAt: (task: TaskView) => string;
  /** How many tasks are wanted. */
  readonly most: number;
};

/**
 * Returns the tasks that a query finds (see `searchTasks`), the best first: those it names in full, those whose name
 * begins with it, those with a word of their name beginning with each of its words, then the rest. Of tasks that fit
 * equally well, the one used or changed last comes first. A closed task ranks as an open one that fits a step worse,
 * and comes after it.
 */
export const rankTasks = (
  tasks: readonly TaskView[],
  query: string,
  { usedAt, most }: RankOptions,
): readonly Ranked[] => {
  const words = wordsOf(query);
  const ranks = Map.groupBy(searchTasks(tasks, query), (task) => rankTask(task, words));
  const best: Ranked[] = [];
  for (const rank of [...ranks.keys()].toSorted((a, b) => a - b)) {
    if (best.length >= most) break;
    for (const task of newestOf(ranks.get(rank) ?? [], usedAt, most - best.length))
      best.push({ task, rank });
  }
  return best;
};

const rankTask = (task: TaskView, words: readonly string[]): number => {
  const fit = fitOf(nameTextOf(task), words);
  if (isClosed(task.status)) return rankOf(fit + 1) + AFTER;
  // It holds a bit of everything: nobody looks for it by what is in it.
  return fit === FITS.less && isInbox(task) ? rankOf(fit + 1) : rankOf(fit);
};

/** From one fit to the next. There is room between two, for what comes after everything else that fits as well. */
export const RANK_STEP = 2;
const AFTER = 1;

const rankOf = (fit: number): number => RANK_STEP * fit;

const newestOf = (
  tasks: readonly TaskView[],
  usedAt: (task: TaskView) => string,
  most: number,
): readonly TaskView[] =>
  tasks
    .map((task) => ({ task, at: later(task.updatedAt, usedAt(task)) }))
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, most)
    .map(({ task }) => task);

const later = (a: string, b: string): string => (a < b ? b : a);

/** In bytes. It stays free, so that a full task can still be renamed, moved and closed. */
const SPARE = 16 * 1024;

/** In bytes. What a new tab or note gets beside what it says: its id, and when it was added. */
export const PER_CHILD = 160;

/**
 * Whether the server takes a payload with some more tabs or notes, and a few small edits after that. It refuses one of
 * more than 1 MiB, and then all that is added to it stays in this browser.
 */
export const hasRoom = (payload: Payload, added: readonly unknown[] = []): boolean =>
  sizeOf(payload) + bytesIn(JSON.stringify(added)) + added.length * PER_CHILD <=
  MAX_PAYLOAD - SPARE;

/** Whether a payload is more than the server takes. */
export const isTooLarge = (payload: Payload): boolean => sizeOf(payload) > MAX_PAYLOAD;

/** A view keeps its payload until its record changes, and is asked again after each change of any other. */
const sizes = new WeakMap<Payload, number>();

const sizeOf = (payload: Payload): number => {
  const size = sizes.get(payload) ?? bytesIn(serialise(payload));
  sizes.set(payload, size);
  return size;
};
