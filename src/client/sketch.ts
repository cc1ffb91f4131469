import { isObject, listField, type Payload } from "../domain/base/payload.ts";
import { EMPTY_SCREEN, type Screen } from "./shown.ts";
import type { RefusedChange } from "./state.ts";
import { bucketView, folderView, type TaskView, taskView, type Viewed } from "./views.ts";

// A sketch is what lists show, and nothing else: an eighth of all text, in a few values of the store instead of one per
// record. With 10,000 tasks it is read in 20 ms, the records themselves in 300 ms. So it is shown first.

/** Everything in a sketch that is not about tasks. */
type Frame = {
  readonly folders: readonly Viewed[];
  readonly buckets: readonly Viewed[];
  readonly waiting: number;
  readonly refused: readonly RefusedChange[];
};

/** Tasks as a sketch has them. */
type Part = { readonly tasks: readonly Viewed[]; readonly deletedTasks: readonly Viewed[] };

/** Tasks in one part: about 5 ms of work. */
const MOST = 500;

/** Returns the texts of a sketch, one after another, so that the caller can let other things happen in between. */
export function* sketchTexts(screen: Screen): Generator<string> {
  const { waiting, refused } = screen;
  const [folders, buckets] = [screen.folders, screen.buckets].map((views) =>
    [...views.values()].map((view) => ({ ...view, createdBy: "person", createdByKey: null })),
  );
  yield JSON.stringify({ folders, buckets, waiting, refused });
  for (const [name, views] of [
    ["tasks", screen.tasks],
    ["deletedTasks", screen.deletedTasks],
  ] as const) {
    const all = [...views.values()];
    for (let at = 0; at < all.length; at += MOST)
      yield JSON.stringify({ [name]: all.slice(at, at + MOST).map(sketched) });
  }
}

/** Returns what a sketch shows. Tabs and notes are only counted, except for what agents filed. */
export const screenOf = ([frame, ...parts]: readonly string[]): Screen => {
  const { folders, buckets, waiting, refused } = JSON.parse(frame ?? "") as Frame;
  const read = parts.map((part) => JSON.parse(part) as Partial<Part>);
  return {
    ...EMPTY_SCREEN,
    tasks: byId(read.flatMap(({ tasks = [] }) => tasks).map(sketchView)),
    deletedTasks: byId(read.flatMap(({ deletedTasks = [] }) => deletedTasks).map(sketchView)),
    folders: byId(folders.map(folderView)),
    buckets: byId(buckets.map(bucketView)),
    waiting,
    refused,
  };
};

const byId = <T extends { readonly id: string }>(views: readonly T[]): ReadonlyMap<string, T> =>
  new Map(views.map((view) => [view.id, view]));

const sketched = (task: TaskView): Viewed => {
  const { id, payload, updatedAt, deletedAt, waits, refused, madeBy } = task;
  return {
    id,
    payload: sketchedPayload(payload),
    updatedAt,
    deletedAt,
    waits,
    refused,
    createdBy: madeBy.author,
    createdByKey: madeBy.key,
  };
};

/** What lists show of a task, or sort it by. */
const FIELDS = [
  "title",
  "status",
  "colour",
  "project_id",
  "bucket_id",
  "due",
  "tags",
  "position",
] as const;

const sketchedPayload = (payload: Payload): Payload => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, payload[field]])),
  pages: sketchedList(listField(payload, "pages")),
  notes: sketchedList(listField(payload, "notes")),
});

/** How many there are; where an agent filed some, these, and empty places for the others. */
const sketchedList = (children: readonly unknown[]): number | readonly unknown[] =>
  children.some(isFromAgent)
    ? children.map((child) => (isFromAgent(child) ? child : {}))
    : children.length;

const isFromAgent = (child: unknown): boolean => isObject(child) && child["created_by"] === "agent";

const sketchView = (task: Viewed): TaskView => {
  const view = taskView(task);
  const { pages, notes } = task.payload;
  return {
    ...view,
    tabs: typeof pages === "number" ? blank(pages).tabs : view.tabs,
    notes: typeof notes === "number" ? blank(notes).notes : view.notes,
  };
};

const blanks: Pick<TaskView, "notes" | "tabs">[] = [];

/** So many tabs and notes without content: the same ones for all tasks, because they cost most of the time otherwise. */
const blank = (count: number): Pick<TaskView, "notes" | "tabs"> =>
  (blanks[count] ??= taskView({
    ...BLANK,
    payload: { pages: empty(count), notes: empty(count) },
  }));

const empty = (count: number): readonly unknown[] => Array.from({ length: count }, () => ({}));

const BLANK: Omit<Viewed, "payload"> = {
  id: "",
  updatedAt: "",
  deletedAt: null,
  createdBy: "person",
  createdByKey: null,
  waits: false,
  refused: null,
};
