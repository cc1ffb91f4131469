import type { RecordState } from "../../base/record.ts";
import type { ChildList, FiledChild } from "../../tasks/child.ts";
import type { Past } from "../seen/past.ts";

/** A stored record, with what was filed in it over REST. */
export type StoredState = RecordState & { readonly filed: readonly FiledChild[] };

/** The record after a push; `differs` if it is not what was pushed. */
export type Merged = StoredState & { readonly differs: boolean };

/** Finds children that a device moved here from another task. */
export type ChildFinder = (
  list: ChildList,
  before: readonly unknown[],
  after: readonly unknown[],
) => readonly FiledChild[];

/** What a push is merged with. */
export type Merging = {
  /** What the device held, and what was done over REST since; null if it has seen all of that. */
  readonly past: Past | null;
  readonly findMovedChildren: ChildFinder;
};
