import nodes from "lucide-static/icon-nodes.json";

const NAMES = [
  "app-window",
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
  "server",
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
  "panel-right",
  "pencil",
  "pin",
  "plus",
  "refresh-cw",
  "rotate-ccw-clock",
  "search",
  "send",
  "settings",
  "sticky-note",
  "sun",
  "tag",
  "trash",
  "upload",
  "triangle-alert",
  "undo-2",
  "user",
  "x",
  "globe",
  "key-round",
] as const;

export type IconName = (typeof NAMES)[number];

type Attributes = Readonly<Record<string, string>>;
type Parts = readonly (readonly [tag: string, attributes: Attributes])[];

/**
 * The icons that we use, each as the data of one path: a list draws hundreds of them while it scrolls. Read when the
 * app is bundled, so that no others are in it.
 */
export const readIcons = (): Readonly<Record<IconName, string>> => {
  const all = nodes as unknown as Readonly<Record<string, Parts>>;
  return Object.fromEntries(
    NAMES.map((name) => [name, (all[name] ?? []).map(pathOf).join("")]),
  ) as Record<IconName, string>;
};

const pathOf = ([tag, attributes]: Parts[number]): string => {
  const of = (name: string): number => Number(attributes[name] ?? 0);
  switch (tag) {
    case "path": {
      const d = attributes["d"] ?? "";
      // A first move counts from the end of the part before it, unless it starts at the corner again.
      return d.startsWith("m") ? `M0 0${d}` : d;
    }
    case "circle":
      return ellipse(of("cx"), of("cy"), of("r"), of("r"));
    case "ellipse":
      return ellipse(of("cx"), of("cy"), of("rx"), of("ry"));
    case "line":
      return `M${of("x1")} ${of("y1")}L${of("x2")} ${of("y2")}`;
    case "rect":
      return rectangle(of("x"), of("y"), of("width"), of("height"), of("rx") || of("ry"));
    case "polyline":
    case "polygon":
      return `M${attributes["points"] ?? ""}${tag === "polygon" ? "Z" : ""}`;
    default:
      throw new Error(`An icon has a part that we do not know: ${tag}.`);
  }
};

const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;

const rectangle = (x: number, y: number, width: number, height: number, r: number): string =>
  `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}` +
  `h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}Z`;
