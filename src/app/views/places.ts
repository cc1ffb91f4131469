import type { IconName } from "../parts/icon.tsx";
import type { View } from "../state/route.ts";

/** A view as the side bar and the palette name it. `key` follows `g`. */
export type Place = {
  readonly view: View;
  readonly name: string;
  readonly icon: IconName;
  readonly key: string;
};

export const PLACES: readonly Place[] = [
  { view: "inbox", name: "Inbox", icon: "inbox", key: "i" },
  { view: "today", name: "Today", icon: "sun", key: "t" },
  { view: "open", name: "All open", icon: "list-checks", key: "a" },
  { view: "board", name: "Board", icon: "columns-3", key: "b" },
  { view: "agents", name: "From agents", icon: "bot", key: "f" },
];

export const LATER_PLACES: readonly Place[] = [
  { view: "done", name: "Done", icon: "circle-check", key: "d" },
  { view: "trash", name: "Trash", icon: "trash", key: "x" },
];

export const ALL_PLACES: readonly Place[] = [...PLACES, ...LATER_PLACES];
