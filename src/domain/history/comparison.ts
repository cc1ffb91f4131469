import { type ChildList, childValue } from "../tasks/child.ts";
import { CHILD_LISTS, KNOWN_FIELDS, TASK_FIELDS } from "../tasks/task-fields.ts";
import { counterparts } from "../tasks/filed.ts";
import { valueText } from "../tasks/projection.ts";
import { isObject, listField, type Payload, sameJson, textField } from "../base/payload.ts";

/** A record's content at some point in its history. */
type PastState = { readonly payload: Payload; readonly deletedAt: string | null };

/** A field of a task that the pages have a name for. */
export type KnownField = (typeof KNOWN_FIELDS)[number];

/** A tab or note as it was or is. A note has no title. */
export type Child = { readonly title: string | null; readonly value: string };

type FieldChange = {
  readonly field: KnownField;
  /** Values as text; null for none. */
  readonly from: string | null;
  readonly to: string | null;
};

/** A tab or note that was added (`from` null), removed (`to` null) or changed. */
export type ChildChange = {
  readonly list: ChildList;
  readonly from: Child | null;
  readonly to: Child | null;
};

/** A list of which so much differs that its items are only counted, before and after. */
type CountedList = {
  readonly list: ChildList;
  readonly from: number;
  readonly to: number;
};

/** How two versions of a task differ, in terms that a person understands. */
export type Comparison = {
  /** Whether the change deleted or restored the task. */
  readonly life: "back" | "deleted" | null;
  readonly fields: readonly FieldChange[];
  readonly children: readonly ChildChange[];
  readonly counted: readonly CountedList[];
  /** Lists whose items changed order. */
  readonly reordered: readonly ChildList[];
  /** Names of the extension's own fields that differ. Fields inside a tab are written `tab: name`. */
  readonly others: readonly string[];
};

/** The name of each known field on the pages. */
export const FIELD_NAMES = Object.fromEntries(
  KNOWN_FIELDS.map((field) => [field, TASK_FIELDS[field].label]),
) as Readonly<Record<KnownField, string>>;

export const CHILD_NAMES: Readonly<Record<ChildList, string>> = { pages: "tab", notes: "note" };

/** Compares two versions of a task. Null is a version in which it did not exist. */
export const compare = (before: PastState | null, after: PastState | null): Comparison => {
  const [wasThere, isThere] = [isLive(before), isLive(after)];
  const to = after?.payload ?? {};
  if (!isThere) {
    const changes = compareContent(before?.payload ?? {}, to);
    return { life: wasThere ? "deleted" : null, ...withoutLost(changes) };
  }
  // A task that comes back is listed with all that it holds then.
  const changes = compareContent(wasThere ? (before?.payload ?? {}) : {}, to);
  return { life: before !== null && !wasThere ? "back" : null, ...changes };
};

type ContentChanges = Omit<Comparison, "life">;

const compareContent = (from: Payload, to: Payload): ContentChanges => {
  const lists = CHILD_LISTS.map((list) =>
    compareLists(list, listField(from, list), listField(to, list)),
  );
  return {
    fields: KNOWN_FIELDS.filter((field) => differ(from, to, field)).map((field) => ({
      field,
      from: valueText(field, from[field]),
      to: valueText(field, to[field]),
    })),
    children: lists.flatMap(({ children }) => children),
    counted: lists.flatMap(({ counted }) => counted),
    reordered: lists.flatMap(({ list, isReordered }) => (isReordered ? [list] : [])),
    others: [...otherFields(from, to), ...new Set(lists.flatMap(({ others }) => others))],
  };
};

/**
 * For a deletion, listing all that went with the task would be less clear than the one word. But a device may have edited
 * the task before it deleted it, and sent both at once.
 */
const withoutLost = ({ fields, children }: ContentChanges): ContentChanges => ({
  fields: fields.filter(({ to }) => to !== null),
  children: children.filter(({ to }) => to !== null),
  counted: [],
  reordered: [],
  others: [],
});

/** Whether there is no difference to show. */
export const isSame = ({ life, ...lists }: Comparison): boolean =>
  life === null && Object.values(lists).every((list) => list.length === 0);

const isLive = (state: PastState | null): boolean => state?.deletedAt === null;

const differ = (from: Payload, to: Payload, field: string): boolean =>
  !sameJson(own(from, field), own(to, field));

/**
 * A field's value; null if the payload has no such field of its own: `__proto__` may be a field like any
 * other.
 */
const own = (payload: Payload, field: string): unknown =>
  Object.hasOwn(payload, field) ? (payload[field] ?? null) : null;

const KNOWN: ReadonlySet<string> = new Set<string>(KNOWN_FIELDS);

const otherFields = (from: Payload, to: Payload): readonly string[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (field) => !KNOWN.has(field) && !isList(from, to, field) && differ(from, to, field),
  );

/** If the extension stores a list in another form, it is compared as a plain field. */
const isList = (from: Payload, to: Payload, field: string): boolean =>
  CHILD_LISTS.some((list) => list === field) &&
  [from[field], to[field]].every((value) => (value ?? null) === null || Array.isArray(value));

type ComparedList = {
  readonly list: ChildList;
  readonly children: readonly ChildChange[];
  readonly counted: readonly CountedList[];
  readonly isReordered: boolean;
  readonly others: readonly string[];
};

type Pair = { readonly from: unknown; readonly to: unknown };

/**
 * Of at most this many items in the differing parts of both lists, each is compared: about 5 ms. Of more, a page would
 * show only the first few.
 */
const MOST_COMPARED = 5_000;

const compareLists = (
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
): ComparedList => {
  // Versions of one record share the item objects that did not change, so most of a long list is skipped.
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const from = before.slice(head, before.length - tail);
  const to = after.slice(head, after.length - tail);
  if (from.length + to.length > MOST_COMPARED) {
    const counted = { list, from: before.length, to: after.length };
    return { list, children: [], counted: [counted], isReordered: false, others: [] };
  }
  const places = counterparts(list, from, to);
  const taken = new Set(places);
  const pairs = to.map((item, at) => ({ from: from[places[at] ?? -1], to: item }));
  const removed = from.filter((_, at) => !taken.has(at)).map((item) => ({ from: item, to: null }));
  const kept = places.filter((place) => place !== null);
  return {
    list,
    children: [...pairs, ...removed].flatMap((pair) => changeOf(list, pair)),
    counted: [],
    isReordered: kept.some((place, at) => at > 0 && place < (kept[at - 1] ?? 0)),
    others: pairs.flatMap((pair) => otherParts(list, pair)),
  };
};

const changeOf = (list: ChildList, pair: Pair): readonly ChildChange[] => {
  const [from, to] = [childOf(list, pair.from), childOf(list, pair.to)];
  return sameJson(from, to) ? [] : [{ list, from, to }];
};

/** Null for an item that is neither a tab nor a note. */
const childOf = (list: ChildList, item: unknown): Child | null => {
  if (typeof item !== "string" && !isObject(item)) return null;
  const title = list === "pages" && isObject(item) ? textField(item, "title") : null;
  return { title, value: childValue(list, item) ?? "" };
};

const SHOWN: ReadonlySet<string> = new Set(["id", "text", "title", "url"]);

const otherParts = (list: ChildList, { from, to }: Pair): readonly string[] =>
  isObject(from) && isObject(to)
    ? [...new Set([...Object.keys(from), ...Object.keys(to)])]
        .filter((part) => !SHOWN.has(part) && differ(from, to, part))
        .map((part) => `${CHILD_NAMES[list]}: ${part}`)
    : [];

/** The fields that name a task's folder and bucket. Their values are ids, which mean nothing to people. */
const CONTAINER_FIELDS: readonly string[] = ["project_id", "bucket_id"];

/** A field's change from one value to another. */
export type Move = {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
};

/** The names of folders and buckets, by `placeKey`. */
export type ContainerNames = ReadonlyMap<string, string>;

export const containerKey = (field: string, id: string): string => `${field} ${id}`;

/** Returns the folders and buckets that the changes refer to. */
export const containersIn = (moves: readonly Move[]) =>
  moves
    .filter(({ field }) => CONTAINER_FIELDS.includes(field))
    .flatMap(({ field, from, to }) =>
      [from, to].flatMap((id) => (id === null ? [] : [{ field, id }])),
    );

/** Returns the change with folder and bucket ids replaced by names. */
export const withNames = <M extends Move>(move: M, names: ContainerNames): M => {
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(containerKey(move.field, id)) ?? unknown(move.field, id));
  return CONTAINER_FIELDS.includes(move.field)
    ? { ...move, from: nameOf(move.from), to: nameOf(move.to) }
    : move;
};

/** The trash bucket is recognised by its id alone, even without a record. */
const unknown = (field: string, id: string): string =>
  field === "bucket_id" ? id : `${id} (no longer exists)`;
