import type { Instant } from "../../src/domain/base/instant.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import { listOf } from "../support/edits.ts";
import type { Version } from "./_lww.ts";
import { type Child, fieldOf, LISTS, nameOf, RESTORED, type RestWork } from "./_merge.ts";
import type { ModelRecord } from "./_records.ts";

/** The stamp of the latest change, before it is known. */
const PENDING: Instant = Number.MAX_SAFE_INTEGER;

const childrenIn = (payload: Payload): readonly Child[] =>
  LISTS.flatMap((list) =>
    listOf(payload, list).map((item) => ({ id: item.id ?? "", list, stamp: PENDING, item })),
  );

const namesIn = (payload: Payload): ReadonlySet<string> =>
  new Set(LISTS.flatMap((list) => listOf(payload, list).map(nameOf)));

/** An agent's write changes fields, and adds tabs and notes after the existing ones. */
export const afterWrite = ({ version: before, work }: ModelRecord, after: Version): RestWork => {
  const were = namesIn(before.payload);
  const added = childrenIn(after.payload).filter(({ item }) => !were.has(nameOf(item)));
  return {
    ...work,
    children: [...work.children, ...added],
    changes: changesAfter(work, before, after),
  };
};

/**
 * When a person restores or undoes, what comes back counts as filed again, and what goes must not
 * come back.
 */
export const afterRestore = ({ version: before, work }: ModelRecord, after: Version): RestWork => {
  const [were, are] = [namesIn(before.payload), namesIn(after.payload)];
  // Items that wait for their list go on waiting while there is none.
  const items = new Map(childrenIn(after.payload).map(({ item }) => [nameOf(item), item]));
  const stayed = work.children
    .filter(({ item, list }) =>
      were.has(nameOf(item)) ? are.has(nameOf(item)) : !Array.isArray(after.payload[list]),
    )
    .map((child) => ({ ...child, item: items.get(nameOf(child.item)) ?? child.item }));
  const back = childrenIn(after.payload).filter(({ item }) => !were.has(nameOf(item)));
  const known = new Map(work.children.map(({ item, id }) => [nameOf(item), id]));
  const gone = childrenIn(before.payload)
    .filter(({ item }) => !are.has(nameOf(item)))
    .map(({ list, id, item }) => {
      const name = nameOf(item);
      return { list, id: known.get(name) ?? id, name, stamp: PENDING };
    });
  return {
    children: [...stayed, ...back],
    changes: changesAfter(work, before, after),
    removed: [...work.removed.filter(({ name }) => !are.has(name)), ...gone],
  };
};

const changesAfter = ({ changes }: RestWork, before: Version, after: Version) => [
  ...changes,
  ...[...RESTORED, "deleted_at" as const]
    .filter((field) => !Bun.deepEquals(fieldOf(before, field), fieldOf(after, field)))
    .map((field) => {
      const { updated } = after;
      return { field, before: fieldOf(before, field), stamp: PENDING, updated };
    }),
];

/** Replaces a pending stamp with the real one. */
export const stamped = (record: ModelRecord, stamp: Instant): ModelRecord => {
  const put = <Of extends { readonly stamp: Instant | null }>(all: readonly Of[]): readonly Of[] =>
    all.map((one) => (one.stamp === PENDING ? { ...one, stamp } : one));
  const { children, changes, removed } = record.work;
  const work = { children: put(children), changes: put(changes), removed: put(removed) };
  return { ...record, stamp, work };
};
