import { isWebAddress } from "../../client/views.ts";

/** A link that someone pasted or shared, with its title if there was one. */
export type Link = { readonly url: string; readonly title?: string };

/** The host of an address, without `www.`; nothing for an address that is none. */
export const hostOf = (url: string): string => URL.parse(url)?.host.replace(/^www\./, "") ?? "";

const IN_TEXT = /https?:\/\/[^\s<>"]+/gi;
const MARKDOWN = /\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/gi;

/** Takes the links out of a text: what is left is a title. Knows plain addresses and Markdown's. */
export const splitLinks = (
  text: string,
): { readonly title: string; readonly links: readonly Link[] } => {
  const links: Link[] = [];
  const take = (url: string, title?: string): string => {
    if (!isWebAddress(url)) return url;
    links.push(title === undefined ? { url } : { url, title });
    return " ";
  };
  const rest = text
    .replaceAll(MARKDOWN, (_all, title: string, url: string) => take(url, title))
    .replaceAll(IN_TEXT, (url) => take(url.replace(/[.,;)]+$/, "")));
  return { title: rest.replaceAll(/\s+/g, " ").trim(), links };
};

/** Text that Markdown would read as a link's end or as a mark is escaped. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]`*_<>]/g, String.raw`\$&`);

/** Links as a Markdown list. */
export const markdownOf = (links: readonly Link[], indent = ""): string =>
  links
    .map(({ url, title }) => `${indent}- [${escaped(title ?? url)}](${url.replaceAll(")", "%29")})`)
    .join("\n");

type Copied = {
  readonly title: string;
  readonly isDone: boolean;
  readonly links: readonly Link[];
  readonly notes: readonly string[];
};

/** Tasks as a Markdown list, with their tabs and notes below. Pasted into the app, it makes the same tasks. */
export const tasksAsMarkdown = (tasks: readonly Copied[]): string =>
  tasks
    .flatMap(({ title, isDone, links, notes }) => [
      `- [${isDone ? "x" : " "}] ${escaped(title || "Untitled")}`,
      ...(links.length > 0 ? [markdownOf(links, "  ")] : []),
      ...notes.map((note) => note.replaceAll(/^/gm, "  > ")),
    ])
    .join("\n");
