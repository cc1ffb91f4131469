import { escapedMarkdown, unescapedMarkdown } from "../../domain/base/markdown.ts";
import { isWebAddress } from "../../client/views.ts";
import { innerAddress } from "../../domain/tasks/inner-address.ts";

/** A link that someone pasted or shared, with its title if there was one. */
export type Link = { readonly url: string; readonly title?: string };

/** The host of an address, without `www.`; nothing for an address that is none. */
export const hostOf = (url: string): string => URL.parse(url)?.host.replace(/^www\./, "") ?? "";

/** What ends an address in a text: space, quotes, and the punctuation of Chinese and Japanese. */
const STOPS = String.raw`\s<>"\`“”„«»。、，．！？；：…「」『』【】《》〈〉〔〕［］｛｝`;

/** Wide brackets are a part of a name that is not in Latin letters, and else of the sentence. */
const IN_TEXT = `https?://(?:[^ -~${STOPS}（）]（[^${STOPS}（）]*）|[^${STOPS}（）])+`;

/** A run of signs other than some, in which brackets of a kind are balanced. */
const balanced = (opening: string, closing: string, other: string, depth = 3): string => {
  const inside = depth === 0 ? "" : balanced(opening, closing, other, depth - 1);
  return String.raw`(?:\\.|[^${other}\\${opening}${closing}]|${opening}${inside}${closing})*`;
};

// Markdown's links.
const TITLE = balanced(String.raw`\[`, String.raw`\]`, String.raw`\n`);
const TARGET = balanced(String.raw`\(`, String.raw`\)`, String.raw`\s`);
const ANGLED = String.raw`<(?<angled>https?://(?:\\.|[^<>\n\\])*)>`;
const MARKDOWN = String.raw`\[(?<title>${TITLE})\]\(\s*(?:${ANGLED}|(?=https?://)(?<target>${TARGET}))(?:\s+"[^"\n]*")?\s*\)`;

const LINK = `${MARKDOWN}|<(?<exact>https?://[^<>\\s]+)>|(?<plain>${IN_TEXT})`;

const WHOLE = new RegExp(`^${IN_TEXT}$`, "i");

type Split = {
  /** The words beside the links. */
  readonly title: string;
  readonly links: readonly Link[];
};

/**
 * Takes the links out of one line of text. Knows plain addresses, those in `<>`, Markdown's, and OneTab's
 * `address | title`. An address that is the whole line, or is marked as one, is kept exactly. Of others, the sentence's
 * punctuation and brackets are no part.
 */
export const splitLinks = (line: string): Split => {
  const text = line.trim();
  const [address = "", , title = ""] = text.split(/( \| )([^]*)/);
  const link = exactLink(address, title.trim());
  return link ? { title: "", links: [link] } : inSentence(text);
};

/** The link of a text that is an address and nothing else; null for any other. */
const exactLink = (address: string, title = ""): Link | null => {
  const inner = innerAddress(address);
  const isExact = inner.url === address ? WHOLE.test(address) : !/\s/.test(address);
  return isExact && isWebAddress(inner.url) ? linkOf(inner.url, title || inner.title) : null;
};

const linkOf = (url: string, title: string | null): Link => (title ? { url, title } : { url });

const inSentence = (text: string): Split => {
  const links: Link[] = [];
  const pattern = new RegExp(LINK, "gi");
  let words = "";
  let beside = "";
  let end = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { angled, target, exact, plain = "" } = match.groups ?? {};
    const title = unescapedMarkdown(match.groups?.["title"] ?? "").trim();
    const marked = unescapedMarkdown(angled ?? target ?? "") || exact;
    const url = marked ?? withoutSentence(plain);
    if (!isWebAddress(url)) continue;
    links.push(linkOf(url, title));
    const before = text.slice(end, match.index);
    beside += `${before} `;
    words += `${before}${title || " "}`;
    end = marked === undefined ? match.index + url.length : pattern.lastIndex;
    if (title === "") end += PUNCTUATION.exec(text.slice(end))?.[0].length ?? 0;
    pattern.lastIndex = end;
  }
  const rest = text.slice(end);
  if (links.length === 0) return { title: spaced(text), links };
  return { title: tidy(beside + rest) === "" ? "" : tidy(words + rest), links };
};

/** A sentence's punctuation after an address. */
const PUNCTUATION = /^[.,;:!?*|。、，！？；：…]*/;

const OPENED: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** An address in a text, up to a bracket that it did not open, and without the punctuation at its end. */
const withoutSentence = (found: string): string => {
  const open: string[] = [];
  const end = [...found].findIndex((sign) => {
    if ("([{".includes(sign)) open.push(sign);
    return sign in OPENED && open.pop() !== OPENED[sign];
  });
  const address = end === -1 ? found : [...found].slice(0, end).join("");
  return address.replace(/[.,;:!?*|'’([{]+$/, "");
};

const spaced = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const EMPTY_PAIRS =
  /\(\s*\)|\[\s*\]|\{\s*\}|<\s*>|`\s*`|"\s*"|'\s*'|“\s*”|„\s*“|«\s*»|（\s*）|「\s*」|『\s*』|【\s*】|《\s*》/g;

/** Words without what links leave behind: brackets around nothing, and separators that separate nothing. */
const tidy = (text: string): string =>
  spaced(text.replaceAll(EMPTY_PAIRS, " ")).replaceAll(
    /^(?:[|:;,.·*–—-]+(?:\s+|$))+|(?:\s+[|:;,.·*–—-]+)+$/g,
    "",
  );

/** Text that Markdown would read as a link's end or as a mark is escaped. */
const escaped = (text: string): string => escapedMarkdown(text.replaceAll(/[\r\n]+/g, " "));

const AS_TARGET = new RegExp(String.raw`^(?!.*\\)${TARGET}$`);

/** A link in Markdown. `splitLinks` reads the same link from it. */
export const markdownLink = ({ url, title }: Link): string => {
  // Browsers leave these out of an address, too.
  const address = url.replaceAll(/[\t\r\n]/g, "");
  const target = AS_TARGET.test(address)
    ? address
    : `<${address.replaceAll(/[\\<>]/g, String.raw`\$&`)}>`;
  return `[${escaped(title ?? url)}](${target})`;
};

/** Links as a Markdown list. */
export const markdownOf = (links: readonly Link[], indent = ""): string =>
  links.map((link) => `${indent}- ${markdownLink(link)}`).join("\n");

/** An address in a title is no link when it is read again. */
const titleInMarkdown = (title: string): string =>
  escaped(title).replaceAll("://", String.raw`:\//`);

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
      `- [${isDone ? "x" : " "}] ${titleInMarkdown(title)}`,
      ...(links.length > 0 ? [markdownOf(links, "  ")] : []),
      notes.map((note) => note.replaceAll(/^|\r\n?|\n/g, "\n  > ").slice(1)).join("\n\n"),
    ])
    .filter((lines) => lines !== "")
    .join("\n");
