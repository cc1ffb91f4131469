import type { ActorKind } from "../people/account.ts";
import { childId, type ChildList, childValue, type FiledChild } from "../tasks/child.ts";
import { CHILD_LISTS, KNOWN_FIELDS } from "../tasks/task-fields.ts";
import type { Content } from "../tasks/content.ts";
import type { Instant } from "../base/instant.ts";
import { bare, idOf, keepMark, mark, markAs, stillFiled, unmark } from "./marks.ts";
import { valueText } from "../tasks/projection.ts";
import { isObject, listField, type Payload, sameJson, textField } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";

/** Who made a change, where known. */
type Doer = { readonly kind: ActorKind | null; readonly id: string | null };

export type Act = {
  /** Whether this change is to be undone. */
  readonly mine: boolean;
  /** Whether the change was itself an undo. */
  readonly undoes: boolean;
  readonly at: Instant;
  readonly by: Doer;
  /** The record before and after it; null where it did not exist. */
  readonly before: RecordState | null;
  readonly after: RecordState | null;
  /** What a key's move of tabs between two tasks did to this one. */
  readonly moved?: MovedHere | null;
};

/** Tabs by what names them: their ids, or the urls of those without one (see `tabName`). */
export type MovedHere = {
  /** Those that came from the other task. They go back when the move is undone there. */
  readonly came: ReadonlySet<string>;
  /** Those that left and are still where they went to: as they are there, and what was filed of them. */
  readonly left: ReadonlyMap<string, { readonly tab: unknown; readonly filed: FiledChild | null }>;
};

export const tabName = (tab: unknown): string => childId(tab) ?? childValue("pages", tab) ?? "";

/** One change, and what undoing it means. */
export type Undoing = {
  readonly at: Instant;
  readonly what: (typeof KNOWN_FIELDS)[number] | "made" | "note" | "tab";
  /** The value before and after: of a field, a URL, a text or a title. */
  readonly from: string | null;
  readonly to: string | null;
  /**
   * `undone`: undone by this request, or already. `gone`: no longer there. `changed`: someone else changed it
   * since.
   */
  readonly state: "changed" | "gone" | "undone";
  /** Who changed it since. */
  readonly changedBy: Doer | null;
};

export type UndoPlan = {
  readonly undoings: readonly Undoing[];
  /** What the record will be; null if nothing is undone. */
  readonly target: Target | null;
  /** The names of the tabs that go back to it, and must leave the task to which they had been moved. */
  readonly returned: readonly string[];
};

type Target = Content & { readonly isDeleted: boolean };

/** The payload with the undos so far, and what was found on the way. */
type Progress = {
  payload: Payload;
  readonly undoings: Undoing[];
  readonly others: Others;
  /** The tabs that go back, with what was filed of them. */
  readonly returned: Map<string, FiledChild | null>;
};

/** The others who changed something since: the record as a whole, a field, or a tab or note by its id. */
type Others = {
  last: Doer | null;
  readonly fields: Map<string, Doer>;
  readonly children: Map<string, Doer>;
};

/** A plan in the making. Give it every change to the record, newest first. */
export type UndoPlanning = {
  readonly add: (act: Act) => void;
  /** Returns the plan, once all changes were given. */
  readonly plan: () => UndoPlan;
};

/**
 * Plans to undo someone's changes to a record. `payload` is the current one, and `filed` says where in it the
 * filed children are now. A field goes back only if it still has the value it was given, and a tab or note is
 * removed only if it is still as filed: later changes by others stay. There can be many thousands of changes,
 * so they come one at a time and none is kept in memory.
 */
export const startUndo = (payload: Payload, filed: readonly FiledChild[]): UndoPlanning => {
  const others: Others = { last: null, fields: new Map(), children: new Map() };
  const turn: Progress = {
    payload: mark(payload, filed),
    undoings: [],
    others,
    returned: new Map(),
  };
  return {
    add: (act) => {
      if (act.mine) undoAct(turn, act);
      else if (!act.undoes) remember(others, act);
    },
    plan: () => planOf(turn, payload, filed),
  };
};

const planOf = (turn: Progress, payload: Payload, filed: readonly FiledChild[]): UndoPlan => {
  const target = unmark(turn.payload);
  const isDeleted = turn.undoings.some(({ what, state }) => what === "made" && state === "undone");
  if (!isDeleted && sameJson(target, payload))
    return { undoings: turn.undoings.map(withoutEffect), target: null, returned: [] };
  const back = [...turn.returned.values()].filter((child) => child !== null);
  const content = { payload: target, filed: stillFiled(turn.payload, [...filed, ...back]) };
  return {
    undoings: turn.undoings,
    target: { ...content, isDeleted },
    returned: [...turn.returned.keys()],
  };
};

/** For changes without a lasting effect, such as a field that was changed and changed back. */
const withoutEffect = (undoing: Undoing): Undoing =>
  undoing.state === "undone" ? { ...undoing, ...GONE } : undoing;

const undoAct = (turn: Progress, act: Act): void => {
  const { before, after, at } = act;
  if (after === null) return;
  if (before === null) return undoCreation(turn, act);
  for (const field of KNOWN_FIELDS) {
    if (same(before.payload, after.payload, field)) continue;
    const from = valueText(field, before.payload[field]);
    const to = valueText(field, after.payload[field]);
    const holds = same(turn.payload, after.payload, field);
    const isBack = same(turn.payload, before.payload, field);
    const changer = turn.others.fields.get(field);
    // If nobody else changed it, it was undone before.
    const state = isBack || (!holds && !changer) ? GONE : stateOf(holds, changer ?? null);
    turn.undoings.push({ at, what: field, from, to, ...state });
    if (holds) turn.payload = { ...turn.payload, [field]: before.payload[field] ?? null };
  }
  for (const list of CHILD_LISTS)
    for (const { item, was } of added(list, act))
      if (list === "notes" && was !== undefined) undoCorrection(turn, { was, item, at });
      else if (list !== "pages" || !act.moved?.came.has(tabName(item)))
        undoFiling(turn, list, item, at);
  if (act.moved) for (const item of leavers(act)) undoLeaving(turn, act.moved, act, item);
};

/** The tabs that were there before a change and not after it. Versions of one record share a list that did not change. */
export const leavers = ({ before, after }: Act): readonly unknown[] => {
  const [was, is] = [before?.payload["pages"], after?.payload["pages"]];
  if (was === is || !Array.isArray(was)) return [];
  const there = new Set(listField(after?.payload ?? {}, "pages").map(tabName));
  return was.filter((tab) => !there.has(tabName(tab)));
};

/** Puts a tab back that a move took away, as far as it is still where it went to. Others may have moved it on, or deleted it. */
const undoLeaving = (turn: Progress, { left }: MovedHere, act: Act, item: unknown): void => {
  const { at, before } = act;
  const name = tabName(item);
  const entry = { at, what: "tab", from: childValue("pages", item), to: null } as const;
  const items = listField(turn.payload, "pages");
  const names = items.map((one) => idOf(one) ?? tabName(bare(one)));
  if (names.includes(name)) return void turn.undoings.push({ ...entry, ...GONE });
  const there = left.get(name);
  turn.undoings.push({ ...entry, ...stateOf(there !== undefined, null) });
  if (there === undefined) return;
  const { filed } = there;
  turn.returned.set(name, filed);
  const were = listField(before?.payload ?? {}, "pages");
  const behind = new Set(were.slice(were.indexOf(item) + 1).map(tabName));
  const place = names.findIndex((one) => behind.has(one));
  const tab = inGroupOf(there.tab, item);
  const back = filed === null ? tab : markAs(filed.id, tab);
  turn.payload = {
    ...turn.payload,
    pages: items.toSpliced(place === -1 ? items.length : place, 0, back),
  };
};

/** A tab with the group that it had before; what others changed of it since stays. */
const inGroupOf = (tab: unknown, before: unknown): unknown => {
  if (!isObject(tab)) return tab;
  const { group: _, ...rest } = tab;
  const group = isObject(before) ? before["group"] : undefined;
  return group === undefined ? rest : { ...rest, group };
};

/** An item of a list after a change, and what it was before; undefined for a new one. */
type Added = { readonly item: unknown; readonly was: unknown };

/**
 * The items that a change added to a list or changed there. Versions of one record share the item objects
 * that did not change.
 */
const added = (list: ChildList, { before, after }: Act): readonly Added[] => {
  const [earlier, later] = [before?.payload[list], after?.payload[list]];
  if (earlier === later || !Array.isArray(later)) return [];
  const there = new Set<unknown>(Array.isArray(earlier) ? earlier : []);
  const others = later.filter((item) => !there.has(item) && childId(item) !== null);
  const known = new Map([...there].map((item) => [childId(item), item]));
  return others
    .map((item) => ({ item, was: known.get(childId(item)) }))
    .filter(({ item, was }) => !sameJson(was, item));
};

const undoFiling = (turn: Progress, list: ChildList, item: unknown, at: Instant): void => {
  const { payload, others } = turn;
  const id = childId(item) ?? "";
  const items = listField(payload, list);
  const place = items.findIndex((other) => idOf(other) === id);
  const what = list === "pages" ? "tab" : "note";
  const entry = { at, what, from: null, to: childValue(list, item) } as const;
  if (place === -1) return void turn.undoings.push({ ...entry, ...GONE });
  const current = bare(items[place]);
  const holds = looksLike(list, current, item);
  const changer = others.children.get(childId(current) ?? id) ?? others.children.get(id);
  turn.undoings.push({ ...entry, ...stateOf(holds, changer ?? others.last) });
  if (!holds) return;
  turn.payload = { ...payload, [list]: items.toSpliced(place, 1) };
};

/** Gives a note the text back that it had before it was corrected, if nobody has changed it since. */
const undoCorrection = (
  turn: Progress,
  { was, item, at }: Added & { readonly at: Instant },
): void => {
  const { payload, others } = turn;
  const id = childId(item) ?? "";
  const [from, to] = [childValue("notes", was), childValue("notes", item)];
  const entry = { at, what: "note", from, to } as const;
  const notes = listField(payload, "notes");
  const place = notes.findIndex((note) => [idOf(note), childId(bare(note))].includes(id));
  const current = bare(notes[place]);
  const text = childValue("notes", current);
  if (place === -1 || text === from) return void turn.undoings.push({ ...entry, ...GONE });
  const changer = others.children.get(childId(current) ?? id) ?? others.children.get(id);
  turn.undoings.push({ ...entry, ...stateOf(text === to, changer ?? others.last) });
  if (text !== to) return;
  const back = isObject(current) ? { ...current, text: from } : from;
  turn.payload = { ...payload, notes: notes.with(place, keepMark(notes[place], back)) };
};

/** Undoes the creation of a record by deleting it, if every later change to it is undone too. */
const undoCreation = (turn: Progress, { at, after }: Act): void => {
  const made = after?.payload ?? {};
  const holds = isAsCreated(turn.payload, made);
  const title = textField(made, "title") ?? textField(made, "name");
  const state = stateOf(holds, turn.others.last);
  turn.undoings.push({ at, what: "made", from: null, to: title, ...state });
};

const GONE = { state: "gone", changedBy: null } as const;

const stateOf = (holds: boolean, by: Doer | null) =>
  holds
    ? ({ state: "undone", changedBy: null } as const)
    : ({ state: "changed", changedBy: by } as const);

/** Remembers who made a change, unless a later one by someone else is known. */
const remember = (others: Others, act: Act): void => {
  const { before, after, by } = act;
  others.last ??= by;
  if (!before || !after) return;
  for (const field of KNOWN_FIELDS)
    if (!others.fields.has(field) && !same(before.payload, after.payload, field))
      others.fields.set(field, by);
  for (const { item } of CHILD_LISTS.flatMap((list) => added(list, act))) {
    const id = childId(item) ?? "";
    if (!others.children.has(id)) others.children.set(id, by);
  }
};

const same = (one: Payload, other: Payload, field: string): boolean =>
  sameJson(one[field] ?? null, other[field] ?? null);

/**
 * Whether what was created still looks the same to a person. The extension may add fields of its own without
 * anyone doing anything.
 */
const isAsCreated = (payload: Payload, made: Payload): boolean =>
  [...KNOWN_FIELDS, "name"].every((field) => same(payload, made, field)) &&
  CHILD_LISTS.every((list) => {
    const [items, first] = [listField(payload, list), listField(made, list)];
    const isSame = (item: unknown, at: number): boolean => looksLike(list, bare(item), first[at]);
    return items.length === first.length && items.every(isSame);
  });

/** Whether an item is still as it was filed. The extension may store a tab without its title. */
const looksLike = (list: ChildList, item: unknown, filed: unknown): boolean =>
  childValue(list, item) === childValue(list, filed) &&
  [null, titleOf(filed)].includes(titleOf(item));

const titleOf = (item: unknown): string | null =>
  isObject(item) ? textField(item, "title") : null;
