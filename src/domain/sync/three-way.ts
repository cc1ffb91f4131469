import { canonical, isObject, type Payload, sameJson } from "../base/payload.ts";
import { childId } from "../tasks/child.ts";
import { isChildList } from "../tasks/task-fields.ts";
import { counterparts } from "../tasks/filed.ts";
import { inOrderOf, isReordered, withInserted } from "../base/order.ts";

/** What holds where both sides changed the same thing. */
export type MergeRules = {
  /** Whether a field that both changed has my value. Of a list, whether its items have. */
  readonly wins: (field: string) => boolean;
  /** Makes one text of two that both sides changed; null if the winner's stays. `list` is set for a field of its items. */
  readonly mergeText?: (field: string, texts: BothTexts, list: string | null) => string | null;
  /** Whether an item stays that one side changed and the other took away. */
  readonly keepsChanged: boolean;
};

/** A text before both sides changed it, and after. */
type BothTexts = {
  readonly was: string;
  readonly winner: string;
  readonly loser: string;
};

/**
 * Makes the change from `base` to `mine` in `theirs`: field by field, and in lists item by item. What only one side
 * changed is as that side has it. Where `mine` and `base` are the same, returns `theirs` as it is.
 */
export const threeWay = (
  base: Payload,
  mine: Payload,
  theirs: Payload,
  rules: MergeRules,
): Payload => {
  const result = new Map(Object.entries(theirs));
  for (const field of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    const [was, made, is] = [base[field], mine[field], theirs[field]];
    if (sameJson(was, made) || sameJson(made, is)) continue;
    const value = sameJson(is, was) ? made : ofBoth(field, [was, made, is], rules);
    if (value === undefined) result.delete(field);
    else result.set(field, value);
  }
  return Object.fromEntries(result);
};

type Three<Value> = readonly [was: Value, made: Value, is: Value];

const ofBoth = (field: string, [was, made, is]: Three<unknown>, rules: MergeRules): unknown => {
  if (areLists(was, made, is))
    return mergedList(field, [listOf(was), listOf(made), listOf(is)], within(field, rules));
  const [winner, loser] = rules.wins(field) ? [made, is] : [is, made];
  return typeof was === "string" && typeof winner === "string" && typeof loser === "string"
    ? (rules.mergeText?.(field, { was, winner, loser }, null) ?? winner)
    : winner;
};

/** The rules for what is in a list. The fields of an item have no times of their own. */
const within = (list: string, { wins, mergeText, keepsChanged }: MergeRules): MergeRules => ({
  wins: () => wins(list),
  mergeText: (field, texts) => mergeText?.(field, texts, list) ?? null,
  keepsChanged,
});

/** Whether these are versions of one list. One that is missing is an empty one. */
const areLists = (...values: readonly unknown[]): boolean =>
  values.some(Array.isArray) && values.every((value) => value == null || Array.isArray(value));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns what an item of a list is known by: its id; without one, all that it holds. */
export const nameOf = (item: unknown): string => childId(item) ?? canonical(item);

/** A list's items, each under a name of its own, in their order. */
type Named = ReadonlyMap<string, unknown>;

const mergedList = (
  list: string,
  [was, made, is]: Three<readonly unknown[]>,
  rules: MergeRules,
): readonly unknown[] => {
  const base = named(list, was, "base", new Map());
  const mine = named(list, made, "mine", base);
  const added = [...mine].filter(([name]) => !base.has(name));
  const theirs = named(list, is, "theirs", new Map([...base, ...added]));
  const isChanged = (name: string, item: unknown): boolean =>
    !base.has(name) || (rules.keepsChanged && !sameJson(item, base.get(name)));
  const kept = [...theirs].filter(([name, item]) => mine.has(name) || isChanged(name, item));
  const missing = [...mine].filter(([name, item]) => !theirs.has(name) && isChanged(name, item));
  // What is taken back goes to its old place; what is new comes behind what they have added there.
  const isTheirs = (name: string): boolean =>
    rules.keepsChanged && !base.has(name) && !mine.has(name);
  const names = withInserted(namesOf(kept), [...mine.keys()], new Set(namesOf(missing)), isTheirs);
  return (
    isReordered([...base.keys()], [...mine.keys()]) ? inOrderOf([...mine.keys()], names) : names
  ).map((name) => {
    const [before, item, other] = [base.get(name), mine.get(name), theirs.get(name)];
    if (!theirs.has(name)) return item;
    if (!isObject(item) || !isObject(other)) return other;
    return threeWay(isObject(before) ? before : {}, item, other, rules);
  });
};

const namesOf = (items: readonly (readonly [string, unknown])[]): readonly string[] =>
  items.map(([name]) => name);

/**
 * Gives each item of a side's list a name: that of its counterpart among the known ones, one for one, or a new one. Tabs
 * and notes are recognised by their id, or else by their URL or text; items of other lists by their id, or else by all
 * that they hold.
 */
const named = (list: string, items: readonly unknown[], side: string, known: Named): Named => {
  const [names, values] = [[...known.keys()], [...known.values()]];
  const places = isChildList(list)
    ? counterparts(list, values, items)
    : equals(values.map(nameOf), items.map(nameOf));
  return new Map(items.map((item, at) => [names[places[at] ?? -1] ?? `${side} ${at}`, item]));
};

/** Returns for each name its place in `before`, one for one, or null. */
const equals = (
  before: readonly string[],
  after: readonly string[],
): readonly (number | null)[] => {
  const places = Map.groupBy(before.keys(), (at) => before[at]);
  return after.map((name) => places.get(name)?.shift() ?? null);
};
