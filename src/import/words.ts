import { unescapedMarkdown } from "../domain/base/markdown.ts";
import type { Link } from "./model.ts";

/** Brackets in an address that Markdown encloses are balanced. */
const TARGET = String.raw`(?:[^\s()<>]|\((?:[^\s()<>]|\([^\s()<>]*\))*\))+`;
const ANGLED = String.raw`<(?<angled>https?://[^<>\s]*)>`;
const MARKDOWN = String.raw`\[(?<title>(?:\\.|[^\]\n\\])*)\]\(\s*(?:${ANGLED}|(?<target>https?://${TARGET}))(?:\s+"[^"\n]*")?\s*\)`;
const LINK = new RegExp(String.raw`${MARKDOWN}|(?<plain>https?://[^\s<>"\`]+)`, "gi");

/** A link in a text, and where it is. */
export type Found = {
  readonly address: string;
  /** Markdown's words for it; null for a bare address. */
  readonly title: string | null;
  readonly at: number;
  readonly end: number;
};

/**
 * Returns the web addresses in a text, and Markdown's links, in their order. What ends a sentence, and a bracket that the
 * address did not open, is no part of a bare one.
 */
export const linksIn = (text: string): readonly Found[] =>
  [...text.matchAll(LINK)].map((match) => {
    const { title, angled, plain = "" } = match.groups ?? {};
    const target = angled ?? match.groups?.["target"];
    const at = match.index;
    if (target !== undefined)
      return {
        address: target,
        title: unescapedMarkdown(title ?? "").trim(),
        at,
        end: at + match[0].length,
      };
    const address = withoutSentence(plain);
    return { address, title: null, at, end: at + address.length };
  });

const withoutSentence = (address: string): string => {
  const rest = address.replace(/[.,;:!?*]+$/, "");
  const isOpen = rest.endsWith(")") && count(rest, ")") > count(rest, "(");
  return isOpen ? withoutSentence(rest.slice(0, -1)) : rest;
};

const count = (text: string, sign: string): number => text.split(sign).length - 1;

/** Links in the texts of a to-do, each once, in the order of the texts. */
export const linksOf = (texts: readonly string[]): readonly Link[] => {
  const links = new Map<string, Link>();
  for (const { address, title } of texts.flatMap(linksIn))
    if (!links.has(address)) links.set(address, { address, title });
  return [...links.values()];
};

/** A to-do's title with the words of Markdown's links in their place. A bare address stays. */
export const withoutMarkdown = (text: string): string => {
  let rest = "";
  let end = 0;
  for (const { title, at, end: after } of linksIn(text)) {
    if (title === null) continue;
    rest += `${text.slice(end, at)}${title}`;
    end = after;
  }
  return rest + text.slice(end);
};
