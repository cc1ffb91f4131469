import type { ActorKind } from "./caller.ts";
import { type ChildList, childId, childValue, type FiledChild } from "./child.ts";
import { GUARDED_FIELDS } from "./guards.ts";
import type { Instant } from "./instant.ts";
import { isObject, listField, type Payload, textField } from "./payload.ts";

/** Who did something, as far as that is known. */
export type Doer = { readonly kind: ActorKind | null; readonly id: string | null };

/** A record's content before and after one thing that was done to it; null where it was not there. */
type Version = { readonly payload: Payload; readonly deletedAt: string | null };
export type Act = {
  /** Whether what was done is to be undone. */
  readonly mine: boolean;
  readonly at: Instant;
  readonly by: Doer;
  readonly before: Version | null;
  readonly after: Version | null;
};

/** One thing that was done, and what undoing it means. */
export type Undoing = {
  readonly at: Instant;
  readonly what: (typeof GUARDED_FIELDS)[number] | "made" | "note" | "tab";
  /** What it was before and what it was made: a field's value, a url, a text, a title. */
  readonly from: string | null;
  readonly to: string | null;
  /** `undone`: it will be, or was; `gone`: it does not stand any more; `changed`: somebody changed it since. */
  readonly state: "changed" | "gone" | "undone";
  /** Who changed it since. */
  readonly changedBy: Doer | null;
};

export type UndoPlan = {
  readonly undoings: readonly Undoing[];
  /** What the record is to be; null where nothing is undone. */
  readonly target: { readonly payload: Payload; readonly isDeleted: boolean } | null;
};

/** What one act's undoing does to the payload as far as it was undone. */
type Turn = { readonly payload: Payload; readonly undoings: readonly Undoing[] };

/**
 * What undoing somebody's acts on a record comes to. `acts` are all that was done to it, the newest first; the
 * payload is the one that stands, and `filed` tells where in it what was filed stands now. Each field goes back
 * only from the value that it was given, each tab or note only as it was filed: what others did since stays.
 */
export const planUndo = (
  payload: Payload,
  filed: readonly FiledChild[],
  acts: readonly Act[],
): UndoPlan => {
  const start: Turn = { payload, undoings: [] };
  const marked = { ...start, payload: mark(payload, filed) };
  const turn = acts.reduce(
    (so, act, index) => (act.mine ? undoAct(so, act, acts.slice(0, index)) : so),
    marked,
  );
  const isDeleted = turn.undoings.some(({ what, state }) => what === "made" && state === "undone");
  const isUndone = turn.undoings.some(({ state }) => state === "undone");
  return {
    undoings: turn.undoings,
    target: isUndone ? { payload: unmark(turn.payload), isDeleted } : null,
  };
};

const undoAct = (turn: Turn, act: Act, later: readonly Act[]): Turn => {
  const { before, after, at } = act;
  if (after === null) return turn;
  if (before === null) return undoMaking(turn, act, later);
  const fields = GUARDED_FIELDS.filter((field) => !same(before.payload, after.payload, field));
  const undone = fields.reduce<Turn>((so, field) => {
    const [from, to] = [shown(before.payload[field]), shown(after.payload[field])];
    const holds = same(so.payload, after.payload, field);
    const isBack = same(so.payload, before.payload, field);
    const state = isBack ? GONE : stateOf(holds, changer(later, field));
    const entry = { at, what: field, from, to, ...state };
    const value = before.payload[field] ?? null;
    return {
      payload: holds ? { ...so.payload, [field]: value } : so.payload,
      undoings: [...so.undoings, entry],
    };
  }, turn);
  return LISTS.reduce((so, list) => undoFilings(so, list, act, later), undone);
};

const LISTS: readonly ChildList[] = ["pages", "notes"];

const undoFilings = (turn: Turn, list: ChildList, act: Act, later: readonly Act[]): Turn => {
  const there = new Set(listField(act.before?.payload ?? {}, list).map(childId));
  const filed = listField(act.after?.payload ?? {}, list).filter((item) => {
    const id = childId(item);
    return id !== null && !there.has(id);
  });
  return filed.reduce<Turn>((so, item) => undoFiling(so, list, item, act, later), turn);
};

const undoFiling = (
  turn: Turn,
  list: ChildList,
  item: unknown,
  { at }: Act,
  later: readonly Act[],
): Turn => {
  const items = listField(turn.payload, list);
  const place = items.findIndex((other) => idOf(other) === childId(item));
  const what = list === "pages" ? "tab" : "note";
  const entry = { at, what, from: null, to: childValue(list, item) } as const;
  if (place === -1) {
    return { ...turn, undoings: [...turn.undoings, { ...entry, ...GONE }] };
  }
  const holds = looks(list, items[place]) === looks(list, item);
  const payload = holds ? { ...turn.payload, [list]: items.toSpliced(place, 1) } : turn.payload;
  const undoing = { ...entry, ...stateOf(holds, later.find(({ mine }) => !mine)?.by ?? null) };
  return { payload, undoings: [...turn.undoings, undoing] };
};

/** A record that was made is deleted, if all that was done to it since is undone too. */
const undoMaking = (turn: Turn, { at, after }: Act, later: readonly Act[]): Turn => {
  const made = after?.payload ?? {};
  const holds = view(turn.payload) === view(made);
  const title = textField(made, "title") ?? textField(made, "name");
  const by = later.find(({ mine }) => !mine)?.by ?? null;
  const entry = { at, what: "made" as const, from: null, to: title, ...stateOf(holds, by) };
  return { ...turn, undoings: [...turn.undoings, entry] };
};

const GONE = { state: "gone", changedBy: null } as const;

const stateOf = (holds: boolean, by: Doer | null) =>
  holds
    ? ({ state: "undone", changedBy: null } as const)
    : ({ state: "changed", changedBy: by } as const);

const changer = (later: readonly Act[], field: string): Doer | null =>
  later.find(
    ({ mine, before, after }) =>
      !mine && before && after && !same(before.payload, after.payload, field),
  )?.by ?? null;

const same = (one: Payload, other: Payload, field: string): boolean =>
  Bun.deepEquals(one[field] ?? null, other[field] ?? null);

const shown = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === "string"
      ? value
      : JSON.stringify(value);

/** What a person sees of a record: the extension may add fields of its own without anybody doing anything. */
const view = (payload: Payload): string =>
  JSON.stringify([
    ...[...GUARDED_FIELDS, "name"].map((field) => payload[field] ?? null),
    ...LISTS.map((list) => listField(payload, list).map((item) => looks(list, item))),
  ]);

const looks = (list: ChildList, item: unknown): string =>
  JSON.stringify([
    childValue(list, marked(item) ? item.is : item),
    titleOf(marked(item) ? item.is : item),
  ]);

const titleOf = (item: unknown): string | null =>
  isObject(item) ? textField(item, "title") : null;

/** An item with the id that the server gave it, wherever the extension dropped or changed that. */
type Marked = { readonly [MARK]: string; readonly is: unknown };
const MARK = Symbol("id");

const marked = (item: unknown): item is Marked => isObject(item) && MARK in item;

const idOf = (item: unknown): string | null => (marked(item) ? item[MARK] : childId(item));

const mark = (payload: Payload, filed: readonly FiledChild[]): Payload => {
  const lists = LISTS.flatMap((list) => {
    const ids = new Map(filed.filter((child) => child.list === list).map(({ at, id }) => [at, id]));
    if (ids.size === 0 || !Array.isArray(payload[list])) return [];
    const items = listField(payload, list).map((item, at) => {
      const id = ids.get(at);
      return id === undefined ? item : { [MARK]: id, is: item };
    });
    return [[list, items]];
  });
  return { ...payload, ...(Object.fromEntries(lists) as Payload) };
};

const unmark = (payload: Payload): Payload => {
  const lists = LISTS.filter((list) => Array.isArray(payload[list])).map((list) => [
    list,
    listField(payload, list).map((item) => (marked(item) ? item.is : item)),
  ]);
  return { ...payload, ...(Object.fromEntries(lists) as Payload) };
};
