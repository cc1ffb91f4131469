import { canonical, isObject, type Payload, sameJson } from "../domain/base/payload.ts";
import { childId } from "../domain/tasks/child.ts";
import { mergeText, type TextKind } from "./merge-text.ts";

/** What holds where both sides changed the same thing. */
export type MergeRules = {
  /** Whether a field that both changed has my value. Of a list, whether its items have. */
  readonly wins: (field: string) => boolean;
  /** Whether I put an item into a list, perhaps back, after they last changed the list. */
  readonly isPut?: (field: string, item: string) => boolean;
  /** What kind of text a field is, if what both sides changed in different places of it stays; null if it is none. */
  readonly textKind?: (field: string) => TextKind | null;
  /** Whether an item stays that one side changed and the other took away. */
  readonly keepsChanged: boolean;
};

/**
 * Makes the change from `base` to `mine` in `theirs`: field by field, and in lists item by item, by id. What only one
 * side changed is as that side has it.
 */
export const threeWay = (
  base: Payload,
  mine: Payload,
  theirs: Payload,
  rules: MergeRules,
): Payload => {
  const fields = [...new Set([...Object.keys(base), ...Object.keys(mine)])];
  const result: Record<string, unknown> = { ...theirs };
  for (const field of fields) {
    const [was, made, is] = [base[field], mine[field], theirs[field]];
    if (sameJson(was, made)) continue;
    if (areLists(was, made, is) && !sameJson(is, was))
      result[field] = mergedList(listOf(was), listOf(made), listOf(is), {
        ...rules,
        // The fields of an item have no times of their own.
        wins: () => rules.wins(field),
        textKind: (name) => (rules.textKind ? kindIn(field, name) : null),
        isPut: (_, name) => rules.isPut?.(field, name) === true,
      });
    else if (typeof was === "string" && typeof made === "string" && typeof is === "string")
      result[field] = mergedField(field, [was, made, is], rules);
    else if (sameJson(is, was) || rules.wins(field)) {
      if (made === undefined) delete result[field];
      else result[field] = made;
    }
  }
  return result;
};

/** Of the items of lists, people type notes, and the titles of tabs and groups. */
const kindIn = (list: string, field: string): TextKind | null => {
  if (list === "notes" && field === "text") return "note";
  return (list === "groups" || list === "pages") && field === "title" ? "title" : null;
};

const mergedField = (
  field: string,
  [was, made, is]: readonly [string, string, string],
  rules: MergeRules,
): string => {
  const wins = rules.wins(field);
  const kind = rules.textKind?.(field) ?? null;
  if (is === was || kind === null) return is === was || wins ? made : is;
  return (wins ? mergeText(was, made, is, kind) : mergeText(was, is, made, kind)).text;
};

/** Whether these are versions of one list. One that is missing is an empty one. */
const areLists = (...values: readonly unknown[]): boolean =>
  values.some(Array.isArray) &&
  values.every((value) => value === undefined || Array.isArray(value));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns what an item of a list is known by: its id; without one, all that it holds. */
export const nameOf = (item: unknown): string =>
  (isObject(item) ? childId(item) : null) ?? canonical(item);

const mergedList = (
  was: readonly unknown[],
  made: readonly unknown[],
  is: readonly unknown[],
  rules: MergeRules,
): readonly unknown[] => {
  const [base, mine, theirs] = [byName(was), byName(made), byName(is)];
  const isChanged = (item: unknown, name: string): boolean =>
    !base.has(name) || (rules.keepsChanged && !sameJson(item, base.get(name)));
  const kept = is
    .filter((item) => mine.has(nameOf(item)) || isChanged(item, nameOf(item)))
    .map((item) => {
      const name = nameOf(item);
      return mine.has(name) ? mergedItem(base.get(name), mine.get(name), item, rules) : item;
    });
  const isMissing = (item: unknown): boolean =>
    !theirs.has(nameOf(item)) &&
    (isChanged(item, nameOf(item)) || rules.isPut?.("", nameOf(item)) === true);
  // What is taken back goes to its old place; what is new comes behind what they have added there.
  const isTheirs = (name: string): boolean =>
    rules.keepsChanged && !base.has(name) && !mine.has(name);
  const whole = made.reduce<readonly unknown[]>(
    (items, item, at) =>
      isMissing(item) ? insertedAfter(items, made.slice(0, at), item, isTheirs) : items,
    kept,
  );
  return isReordered(was, made) ? inOrderOf(made, whole) : whole;
};

const mergedItem = (was: unknown, made: unknown, is: unknown, rules: MergeRules): unknown =>
  isObject(made) && isObject(is) ? threeWay(isObject(was) ? was : {}, made, is, rules) : is;

const byName = (items: readonly unknown[]): ReadonlyMap<string, unknown> =>
  new Map(items.map((item) => [nameOf(item), item]));

/** Puts an item behind the nearest of its predecessors that is still there, and behind what they put there. */
const insertedAfter = (
  items: readonly unknown[],
  predecessors: readonly unknown[],
  item: unknown,
  isTheirs: (name: string) => boolean,
): readonly unknown[] => {
  const names = items.map(nameOf);
  const before = predecessors.findLast((one) => names.includes(nameOf(one)));
  let at = before === undefined ? 0 : names.indexOf(nameOf(before)) + 1;
  if (before !== undefined) while (at < names.length && isTheirs(names[at] ?? "")) at += 1;
  return items.toSpliced(at, 0, item);
};

const isReordered = (was: readonly unknown[], made: readonly unknown[]): boolean => {
  const [before, after] = [was.map(nameOf), made.map(nameOf)];
  const common = before.filter((name) => after.includes(name));
  return !sameJson(
    common,
    after.filter((name) => before.includes(name)),
  );
};

/** Puts the items that were there before in the order they had; all others keep their places. */
const inOrderOf = (made: readonly unknown[], items: readonly unknown[]): readonly unknown[] => {
  const names = made.map(nameOf);
  const old = items
    .filter((item) => names.includes(nameOf(item)))
    .toSorted((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)));
  let next = 0;
  return items.map((item) => (names.includes(nameOf(item)) ? old[next++] : item));
};
