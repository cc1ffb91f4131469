import { signal } from "@preact/signals";
import { isCoarse } from "./long-press.ts";
import type { ChildName } from "../../client/children.ts";
import { isTyping } from "../keys/still-typing.ts";
import { markdownLink } from "../words/links.ts";

/** What is being dragged: tasks, tabs of a task, a folder, a column of the board, or something from another window. */
export type Dragged =
  | { readonly kind: "tasks"; readonly ids: readonly string[] }
  | { readonly kind: "tabs"; readonly from: string; readonly names: readonly ChildName[] }
  | { readonly kind: "folder"; readonly id: string }
  | { readonly kind: "column"; readonly id: string }
  | Outside;

/** Links or text. Browsers show the text only once it is dropped. */
export type Outside = {
  readonly kind: "outside";
  readonly text: string;
  /** For the browser's own tabs: saves them into a task; null for an inbox that is not there yet. */
  readonly saveTo?: (taskId: string | null) => void;
};

const dragged = signal<Dragged | null>(null);

/** Whether a task is being dragged. */
export const isDragged = (id: string): boolean =>
  dragged.value?.kind === "tasks" && dragged.value.ids.includes(id);

/** The row in front of which it would be dropped, or the place onto which. */
export const dropAt = signal<string | null>(null);

/** What makes an element draggable. */
export const draggable = (what: () => Dragged, words: string) => ({
  // A long press selects, where fingers press.
  draggable: !isCoarse(),
  onDragStart: (event: DragEvent): void => {
    event.stopPropagation();
    event.dataTransfer?.setData("text/plain", words);
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
    isOwn = true;
    dragged.value = what();
  },
  onDragEnd: (): void => {
    isOwn = false;
    dragged.value = null;
    dropAt.value = null;
  },
});

/** What makes an element take what is dragged. `accepts` says where; null means not here. */
export const dropTarget = (
  accepts: (what: Dragged, event: DragEvent) => string | null,
  drop: (what: Dragged, event: DragEvent) => void,
) => ({
  onDragOver: (event: DragEvent): void => {
    const what = draggedIn(event);
    const at = what && accepts(what, event);
    if (at === null) return;
    event.preventDefault();
    event.stopPropagation();
    dropAt.value = at;
  },
  onDragLeave: (): void => {
    dropAt.value = null;
  },
  onDrop: (event: DragEvent): void => {
    const what = draggedIn(event);
    dropAt.value = null;
    if (!what || accepts(what, event) === null) return;
    dragged.value = null;
    event.preventDefault();
    event.stopPropagation();
    drop(what, event);
  },
});

/** Whether the drag started on this page, also where what is dragged is nothing that moves. */
let isOwn = false;

const draggedIn = (event: DragEvent): Dragged | null => {
  if (dragged.value !== null) return dragged.value;
  const { dataTransfer: data } = event;
  const isText = data?.types.some((type) => type === "text/plain" || type === "text/uri-list");
  if (isOwn || !data || !isText || isTyping(event.target)) return null;
  return { kind: "outside", text: textOf(data) };
};

/** Links with their titles as Markdown, where the other window gave some; else the plain text. */
const textOf = (data: DataTransfer): string => {
  const lines = data.getData("text/uri-list").split(/\r?\n/);
  const urls = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const titles = titlesIn(data);
  if (urls.length === 0) return data.getData("text/plain");
  return urls
    .map((url) => {
      const title = titles.get(url) ?? (urls.length === 1 ? titles.get("") : undefined);
      return title ? markdownLink({ url, title }) : url;
    })
    .join("\n");
};

/** The titles of dragged links by address, as Firefox and other browsers give them. The only one is also under "". */
const titlesIn = (data: DataTransfer): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>();
  for (const [, href = "", html = ""] of data.getData("text/html").matchAll(LINK_IN_HTML)) {
    const title = textIn(html.replaceAll(/<[^>]*>/g, ""));
    titles.set("", title);
    titles.set(textIn(href), title);
  }
  const pairs = data.getData("text/x-moz-url").split(/\r?\n/);
  for (let at = 0; at + 1 < pairs.length; at += 2) titles.set(pairs[at] ?? "", pairs[at + 1] ?? "");
  return titles;
};

const LINK_IN_HTML = /<a\s(?:[^>]*\s)?href="([^"]*)"[^>]*>([^]*?)<\/a>/gi;

/** The text of HTML without tags. Browsers write no references but these. */
const textIn = (html: string): string =>
  html
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_all, name: string) => REFERENCES[name] ?? "")
    .trim();

const REFERENCES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

/** A link that is dropped where nothing takes it must not lead the browser away from the app. */
export const watchDrops = (): void => {
  document.addEventListener("dragstart", () => (isOwn = true));
  document.addEventListener("dragend", () => (isOwn = false));
  for (const kind of ["dragover", "drop"] as const)
    document.addEventListener(kind, (event) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    });
};

/** Whether the pointer is in the lower half of what it is over. */
export const inLowerHalf = (event: DragEvent): boolean => {
  const { top, height } = (event.currentTarget as Element).getBoundingClientRect();
  return event.clientY > top + height / 2;
};

/** Whether the pointer is in the right half of what it is over. */
export const inRightHalf = (event: DragEvent): boolean => {
  const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
  return event.clientX > left + width / 2;
};
