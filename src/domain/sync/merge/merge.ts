import type { Change } from "../change.ts";
import { fieldValue, type Payload, sameJson } from "../../base/payload.ts";
import { CHILD_LISTS, isChildList } from "../../tasks/child.ts";
import { mergeList } from "./merge-list.ts";
import type { Merged, Merging, StoredState } from "./merging.ts";
import type { Past } from "../seen/past.ts";

/**
 * Merges a push into the stored record: what was done over REST since the version that the device held stays, where the
 * device left that version as it was. What the device itself changed is its person's will. If nothing was done over
 * REST, returns the push itself, unchanged.
 */
export const mergePush = (stored: StoredState, change: Change, merging: Merging): Merged => {
  const { past } = merging;
  const keepsDeletion = past !== null && keepsItsDeletion(stored, change, past);
  const deletedAt = keepsDeletion ? stored.deletedAt : change.deletedAt;
  // A device deletes once more what was restored over REST: it says nothing about the content.
  if (keepsDeletion && deletedAt === null) return { ...stored, differs: true };
  const lists = CHILD_LISTS.map((list) => mergeList(stored, change, list, merging));
  const fields = past === null ? [] : keptFields(past, change.payload);
  const changed = lists.flatMap(({ list, items }) => (items ? [[list, items] as const] : []));
  const payload = withFields(change.payload, [...fields, ...changed]);
  const filed = lists.flatMap((list) => list.filed);
  return { payload, deletedAt, filed, differs: keepsDeletion || payload !== change.payload };
};

/** Whether it was deleted or restored over REST, and the device cannot have known that. */
const keepsItsDeletion = (stored: StoredState, change: Change, { held, deletion }: Past): boolean =>
  deletion &&
  held.isDeleted === (change.deletedAt !== null) &&
  held.isDeleted === (stored.deletedAt === null);

type Field = readonly [name: string, value: unknown];

/** Returns the fields in which the push is as the device held them, and REST has changed them since. */
const keptFields = ({ fields, held, content }: Past, pushed: Payload): readonly Field[] =>
  [...fields].flatMap((name): readonly Field[] => {
    const value = fieldValue(pushed, name);
    const isLeft = sameJson(value, fieldValue(held.payload, name));
    return isChildList(name) || !isLeft || sameJson(value, fieldValue(content, name))
      ? []
      : [[name, content[name]]];
  });

/** Sets fields; one that has no value is removed. */
const withFields = (payload: Payload, fields: readonly Field[]): Payload => {
  if (fields.length === 0) return payload;
  const names = new Map(fields);
  const all = Object.entries({ ...payload, ...Object.fromEntries(fields) } as Payload);
  return Object.fromEntries(all.filter(([name, value]) => value !== undefined || !names.has(name)));
};
