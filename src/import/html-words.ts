import { Parser } from "htmlparser2";

/** Elements after which a line ends. */
const BLOCKS = new Set([
  "p",
  "div",
  "li",
  "ul",
  "ol",
  "h1",
  "h2",
  "h3",
  "h4",
  "blockquote",
  "pre",
  "tr",
]);

/** The words of formatted text, as plain lines: links as Markdown, items of a checklist as `- [ ]`. */
export const htmlWords = (html: string): string => {
  let words = "";
  const links: { readonly href: string; readonly from: number }[] = [];
  const parser = new Parser({
    ontext: (text) => {
      words += text;
    },
    onopentag: (name, { href = "", "data-checked": checked }) => {
      if (name === "br") words += "\n";
      if (name === "li")
        words += checked === undefined ? "- " : `- [${checked === "true" ? "x" : " "}] `;
      if (name === "a") links.push({ href, from: words.length });
    },
    onclosetag: (name) => {
      if (BLOCKS.has(name) && !words.endsWith("\n")) words += "\n";
      const link = name === "a" ? links.pop() : undefined;
      if (!link || !/^https?:/i.test(link.href)) return;
      const title = words.slice(link.from);
      words =
        words.slice(0, link.from) + (title === link.href ? title : `[${title}](${link.href})`);
    },
  });
  parser.end(html);
  return words.trim();
};
