import { signal } from "@preact/signals";
import type { TaskView } from "../../client/views.ts";
import { route } from "./route.ts";

/** What the person typed into the search. */
export const searchText = signal(route.peek().query.get("q") ?? "");

type Found = {
  readonly tasks: readonly TaskView[];
  /** Whether tasks are left in which nobody has looked yet. */
  readonly searching: boolean;
};

export const NOTHING_FOUND: Found = { tasks: [], searching: false };

/** What the search has found so far. */
export const found = signal(NOTHING_FOUND);
