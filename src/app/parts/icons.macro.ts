import nodes from "lucide-static/icon-nodes.json";

const NAMES = [
  "arrow-down",
  "arrow-left",
  "arrow-right",
  "arrow-up",
  "bookmark",
  "bot",
  "calendar",
  "check",
  "chevron-down",
  "chevron-right",
  "circle",
  "circle-check",
  "circle-dashed",
  "circle-dot",
  "circle-ellipsis",
  "circle-minus",
  "circle-x",
  "cloud",
  "cloud-off",
  "columns-3",
  "copy",
  "download",
  "ellipsis",
  "external-link",
  "folder",
  "folder-plus",
  "grip-vertical",
  "inbox",
  "keyboard",
  "layers",
  "link",
  "list",
  "list-checks",
  "log-out",
  "menu",
  "palette",
  "pencil",
  "pin",
  "plus",
  "refresh-cw",
  "rotate-ccw-clock",
  "search",
  "settings",
  "sticky-note",
  "sun",
  "tag",
  "trash",
  "triangle-alert",
  "undo-2",
  "user",
  "x",
  "globe",
  "key-round",
] as const;

export type IconName = (typeof NAMES)[number];
export type IconParts = readonly (readonly [string, Readonly<Record<string, string>>])[];

/** The shapes of the icons that we use, read when the app is bundled, so that no others are in it. */
export const readIcons = (): Readonly<Record<IconName, IconParts>> => {
  const all = nodes as unknown as Readonly<Record<string, IconParts>>;
  return Object.fromEntries(NAMES.map((name) => [name, all[name] ?? []])) as Record<
    IconName,
    IconParts
  >;
};
