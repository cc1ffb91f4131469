import type { IconName } from "../parts/marks.tsx";
import type { View } from "../state/route.ts";

/** A view as the side bar and the palette name it. `key` follows `g`. */
export type NamedView = {
  readonly view: View;
  readonly name: string;
  readonly icon: IconName;
  readonly key: string;
};

export const PLACES: readonly NamedView[] = [
  { view: "inbox", name: "Inbox", icon: "inbox", key: "i" },
  { view: "today", name: "Today", icon: "sun", key: "t" },
  { view: "open", name: "All open", icon: "list-checks", key: "a" },
  { view: "board", name: "Board", icon: "columns-3", key: "b" },
  { view: "agents", name: "From agents", icon: "bot", key: "f" },
];

export const LATER_PLACES: readonly NamedView[] = [
  { view: "done", name: "Done", icon: "circle-check", key: "d" },
  { view: "trash", name: "Trash", icon: "trash", key: "x" },
];

export const ALL_PLACES: readonly NamedView[] = [...PLACES, ...LATER_PLACES];

/** Pages of the account area. */
export const ACCOUNT_PLACES: readonly {
  readonly name: string;
  readonly icon: IconName;
  readonly href: string;
}[] = [
  { name: "Account, keys and devices", icon: "settings", href: "/account" },
  { name: "Give an agent a key", icon: "key-round", href: "/account/keys/new" },
  { name: "What agents did", icon: "bot", href: "/account/activity" },
  { name: "Connect a browser", icon: "globe", href: "/account/devices" },
  { name: "Import and export", icon: "upload", href: "/account/import" },
];

/** The page with everything that happened to a task. */
export const historyPath = (id: string): string =>
  `/account/tasks/${encodeURIComponent(id)}/history`;

/** The page where a folder or a task alone is exported. */
export const exportPath = (what: "folder" | "task", id: string): string =>
  `/account/import?${what}=${encodeURIComponent(id)}#export`;
