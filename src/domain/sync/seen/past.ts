import { CHILD_LISTS, type ChildList } from "../../tasks/child.ts";
import { counterparts } from "../../tasks/counterpart.ts";
import { differingFields, listField, type Payload } from "../../base/payload.ts";
import type { Instant } from "../../base/instant.ts";
import { findHeld } from "./held.ts";
import type { Held } from "./held-version.ts";
import type { Holder, PushedEdit } from "./holder.ts";
import type { PastStep, PastVersion } from "./past-step.ts";
import { type Removed, removedOf } from "./removal.ts";

/** What a device held when it made an edit, and what was done over REST since. */
export type Past = {
  readonly held: Held;
  /** The fields that were changed over REST, whether or not a device has changed them since. */
  readonly fields: ReadonlySet<string>;
  /** The lists that were changed over REST only. */
  readonly lists: ReadonlySet<ChildList>;
  /** The tabs and notes that were removed over REST. */
  readonly removed: readonly Removed[];
  /** Whether its last deletion or restoration was made over REST. */
  readonly deletion: boolean;
  /** The content now; of a deleted record, the content before the deletion. */
  readonly content: Payload;
  /** The content of every stored version from now back to the last one that the device is certain to have held. */
  readonly versions: readonly Payload[];
};

/** Reads a record's past, one step at a time. */
export type PastReading = {
  /** Takes the next step, newest first. Returns whether enough is known. */
  readonly add: (step: PastStep) => boolean;
  /** Returns the result. All that was stamped after `since` has been added, or enough is known. */
  readonly end: (since: Instant) => Past;
};

/** More changes than this are not read. A device that is further behind counts as not having seen what was filed. */
const MOST_CHANGES = 500;

/** What a change did to the content, and to whether the record is deleted. */
type Trace = {
  readonly isRest: boolean;
  readonly fields: readonly string[];
  readonly lists: readonly ChildList[];
  readonly removed: readonly Removed[];
  readonly deletion: boolean;
};

/**
 * Starts to read a record's past from its current state. The content of a deleted record does not count: a device may
 * have emptied it, and nobody looks at it. So a deletion and the restoration after it are one change of the content.
 */
export const startPast = (now: PastVersion, holder: Holder, edit: PushedEdit): PastReading => {
  const finder = findHeld(holder, edit);
  const traces: Trace[] = [];
  const versions: { readonly payload: Payload; readonly depth: number }[] = [];
  let current = now;
  let alive: { readonly payload: Payload; readonly isRest: boolean } | null = null;
  let content = now.deletedAt === null ? now.payload : null;
  return {
    add: (step) => {
      versions.push({ payload: current.payload, depth: traces.length });
      if (finder.look(current, step, traces.length)) return true;
      if (step.refused) return false;
      const { before } = step;
      if (before === null) return true;
      const isRest = isOverRest(step);
      if (current.deletedAt === null) alive = { payload: current.payload, isRest };
      const deletion = (before.deletedAt === null) !== (current.deletedAt === null);
      const isCompared = before.deletedAt === null && alive !== null;
      if (deletion) traces.push({ ...NO_CHANGE, isRest, deletion });
      traces.push(
        isCompared && alive ? contentTrace(before.payload, alive.payload, alive.isRest) : NO_CHANGE,
      );
      if (before.deletedAt === null) {
        content ??= before.payload;
        alive = null;
      }
      current = before;
      return traces.length > MOST_CHANGES;
    },
    end: (all) => {
      versions.push({ payload: current.payload, depth: traces.length });
      const isCut = traces.length > MOST_CHANGES;
      const held = finder.end(current, traces.length, isCut ? Number.POSITIVE_INFINITY : all);
      const since = versions
        .filter(({ depth }) => depth <= held.floor)
        .map(({ payload }) => payload);
      return {
        held,
        content: content ?? now.payload,
        versions: [...new Set(since)],
        ...summary(traces, held),
        removed: [
          ...removedIn(traces.slice(0, held.depth)),
          // The person may have saved these pages again before the edit.
          ...removedIn(traces.slice(held.depth, held.floor)).map((one) => ({
            ...one,
            value: null,
          })),
        ],
      };
    },
  };
};

const removedIn = (traces: readonly Trace[]): readonly Removed[] =>
  traces.flatMap(({ removed }) => removed);

const NO_CHANGE: Trace = { isRest: false, fields: [], lists: [], removed: [], deletion: false };

/** Changes stored before the way was recorded: a device's own writes over REST cannot be told from its pushes. */
const isOverRest = ({ via, byKind, loss }: PastStep): boolean =>
  via === null
    ? byKind === "api_key" || byKind === "person" || loss === "restored" || loss === "undone"
    : via === "rest";

const contentTrace = (before: Payload, after: Payload, isRest: boolean): Trace => {
  const changed = differingFields(before, after);
  const lists = CHILD_LISTS.filter((list) => changed.includes(list));
  const removed = isRest ? lists.flatMap((list) => removedFrom(list, before, after)) : [];
  return { isRest, fields: changed, lists, removed, deletion: false };
};

const removedFrom = (list: ChildList, before: Payload, after: Payload): readonly Removed[] => {
  const items = listField(before, list);
  const stay = new Set(counterparts(list, items, listField(after, list)));
  return items.flatMap((item, at) => (stay.has(at) ? [] : [removedOf(list, item)]));
};

const summary = (
  all: readonly Trace[],
  { depth, sent }: Held,
): Pick<Past, "deletion" | "fields" | "lists"> => {
  const traces = all.slice(0, depth);
  const overRest = traces.flatMap(({ isRest, fields }, at) =>
    isRest ? fields.filter((name) => at < (sent.fields.get(name) ?? depth)) : [],
  );
  const byDevices = new Set(traces.flatMap(({ isRest, lists }) => (isRest ? [] : lists)));
  const fields = new Set(overRest);
  const last = traces.findIndex(({ deletion }) => deletion);
  return {
    fields,
    lists: new Set(CHILD_LISTS.filter((list) => fields.has(list) && !byDevices.has(list))),
    deletion: last < (sent.deletion ?? depth) && (traces[last]?.isRest ?? false),
  };
};
