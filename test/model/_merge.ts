import type { Instant } from "../../src/domain/base/instant.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import type { Item } from "../support/client.ts";
import { listOf } from "../support/edits.ts";
import { FIELDS } from "../support/histories.ts";
import type { Version } from "./_lww.ts";

/** A tab or note that was filed over REST into this record. */
export type Child = {
  readonly id: string;
  readonly list: "notes" | "pages";
  /** The stamp of its filing; null if a device moved it here. */
  readonly stamp: Instant | null;
  /** As it was last seen. */
  readonly item: Item;
};

/** The fields that agents may change, and those that a person may restore as well. */
export const RESTORED = [...FIELDS, "name", "kind"] as const;

/** One change of a field over REST. */
export type FieldChange = {
  readonly field: (typeof RESTORED)[number] | "deleted_at";
  readonly before: unknown;
  readonly stamp: Instant;
  readonly updated: Instant;
};

/** A tab or note that a person removed by undoing or restoring. */
type Removed = {
  readonly list: Child["list"];
  readonly id: string;
  readonly name: string;
  readonly stamp: Instant;
};

/** What was done to a record over REST and must survive pushes that cannot have known of it. */
export type RestWork = {
  readonly children: readonly Child[];
  readonly changes: readonly FieldChange[];
  readonly removed: readonly Removed[];
};

export const NO_WORK: RestWork = { children: [], changes: [], removed: [] };

/** What a push can have known. */
export type Knowledge = {
  readonly stamp: (stamp: Instant) => boolean;
  readonly change: (change: FieldChange) => boolean;
  /** Whether something that was removed may have been saved again since. */
  readonly again: (stamp: Instant) => boolean;
};

type Content = Pick<Version, "deletedAt" | "payload">;

/** The record after a push, and whether it differs from what was pushed. */
type Merged = { readonly content: Content; readonly work: RestWork; readonly differs: boolean };

export const LISTS = ["pages", "notes"] as const;

const same = (one: unknown, other: unknown): boolean => Bun.deepEquals(one ?? null, other ?? null);

export const fieldOf = ({ payload, deletedAt }: Content, field: FieldChange["field"]): unknown =>
  field === "deleted_at" ? deletedAt !== null : (payload[field] ?? null);

/**
 * Applies a push to the current record, and keeps what was done over REST that the push cannot have
 * known.
 */
export const merge = (
  standing: Content,
  work: RestWork,
  pushed: Content,
  knowledge: Knowledge,
  isAgents: (id: string) => boolean,
): Merged => {
  const kept = [...RESTORED, "deleted_at" as const].filter((field) => {
    const unknown = work.changes.find(
      (change) => change.field === field && !knowledge.change(change),
    );
    const sent = fieldOf(pushed, field);
    return unknown && same(unknown.before, sent) && !same(fieldOf(standing, field), sent);
  });
  const survives = kept.includes("deleted_at");
  const { payload: stands } = standing;
  if (survives && standing.deletedAt === null)
    return { content: { payload: stands, deletedAt: null }, work, differs: true };
  if (survives || pushed.deletedAt !== null) {
    const deletedAt = survives ? standing.deletedAt : pushed.deletedAt;
    const content = { payload: pushed.payload, deletedAt };
    return { content, work: bury(standing, work, pushed, isAgents), differs: survives };
  }
  const lists = LISTS.map((list) => mergeList(standing, work, pushed, list, knowledge, isAgents));
  const fields = Object.fromEntries(kept.map((field) => [field, fieldOf(standing, field)]));
  const items = lists.flatMap(({ list, payload }) => (payload ? [[list, payload]] : []));
  const payload = { ...pushed.payload, ...fields, ...Object.fromEntries(items) } as Payload;
  const content = { payload, deletedAt: null };
  const changes = work.changes.filter(({ field }) =>
    field === "deleted_at"
      ? standing.deletedAt === null
      : same(fieldOf(standing, field), fieldOf(content, field)),
  );
  const children = lists.flatMap((one) => one.children);
  const differs = kept.length > 0 || items.length > 0;
  // If a device that knows of the removal adds it again, that is its person's will.
  const are = new Set(LISTS.flatMap((list) => listOf(payload, list).map(nameOf)));
  const removed = work.removed.filter(({ name }) => !are.has(name));
  return { content, work: { children, changes, removed }, differs };
};

/** A tombstone wins over everything. The tabs and notes can still be restored with the task. */
const bury = (
  standing: Content,
  work: RestWork,
  pushed: Content,
  isAgents: (id: string) => boolean,
): RestWork => ({
  children: LISTS.flatMap((list) => {
    const items = listOf(pushed.payload, list);
    const mine = work.children.filter((child) => child.list === list);
    return [
      ...mine.map((child) => ({ ...child, item: find(child, items) ?? child.item })),
      ...movedHere(standing, mine, items, list, isAgents),
    ];
  }),
  changes: work.changes.filter(
    ({ field }) => field === "deleted_at" && standing.deletedAt !== null,
  ),
  removed: work.removed,
});

const mergeList = (
  standing: Content,
  work: RestWork,
  { payload }: Content,
  list: Child["list"],
  knowledge: Knowledge,
  isAgents: (id: string) => boolean,
) => {
  const isSent = Array.isArray(payload[list]);
  const stands = new Set(listOf(standing.payload, list).map(nameOf));
  const unknown = work.removed.filter(
    (one) => one.list === list && !knowledge.stamp(one.stamp) && !stands.has(one.name),
  );
  const items = listOf(payload, list).filter((item) =>
    unknown.every(
      ({ id, name, stamp }) => id !== item.id && (name !== nameOf(item) || knowledge.again(stamp)),
    ),
  );
  const mine = work.children.filter((child) => child.list === list);
  const there = mine.flatMap((child) => {
    const item = find(child, items);
    return item ? [{ ...child, item }] : [];
  });
  const missing = mine.filter((child) => find(child, items) === undefined);
  const names = listOf(standing.payload, list).map(nameOf);
  const place = ({ item }: Child): number => {
    const at = names.indexOf(nameOf(item));
    return at === -1 ? names.length : at;
  };
  const back = missing
    .filter(({ stamp }) => stamp !== null && !knowledge.stamp(stamp))
    .toSorted((one, other) => place(one) - place(other));
  // If the whole list was not sent, its items wait to come back: nobody removed them one by one.
  const waiting = isSent ? [] : missing.filter((child) => !back.includes(child));
  const differs = back.length > 0 || items.length !== listOf(payload, list).length;
  return {
    list,
    payload: differs ? [...items, ...back.map(({ item }) => item)] : null,
    children: [...there, ...movedHere(standing, mine, items, list, isAgents), ...back, ...waiting],
  };
};

export const nameOf = ({ url, text }: Item): string => url ?? text ?? "";

/** Finds a child by its id or, if the ids are dropped, by URL or text. */
const find = (child: Child, items: readonly Item[]): Item | undefined =>
  items.find(({ id }) => id === child.id) ??
  items.find((item) => item.id === undefined && nameOf(item) === nameOf(child.item));

/** A key's tab or note stays a key's wherever a device moves it, but there everyone knows of it. */
const movedHere = (
  { payload }: Content,
  mine: readonly Child[],
  items: readonly Item[],
  list: Child["list"],
  isAgents: (id: string) => boolean,
): readonly Child[] => {
  const before = new Set(listOf(payload, list).map(({ id }) => id));
  return items.flatMap((item) => {
    const { id } = item;
    if (id === undefined || before.has(id) || !isAgents(id)) return [];
    return mine.some((child) => child.id === id) ? [] : [{ id, list, stamp: null, item }];
  });
};
