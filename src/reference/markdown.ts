import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked, type RendererObject, type Tokens } from "marked";
import { type Guide, GUIDES, type Guides } from "./guides.ts";

/** Reads all guides from their files and renders them as HTML. */
export const renderGuides = async (): Promise<Guides> => {
  const rendered = GUIDES.map(async ({ name }) => {
    const file = Bun.file(join(import.meta.dir, "guides", `${name}.md`));
    return [name, renderGuide(await file.text())] as const;
  });
  return Object.fromEntries(await Promise.all(rendered)) as Guides;
};

/** Renders one guide as HTML. Raw HTML in it is shown as text. */
export const renderGuide = (markdown: string): Guide => {
  const sections: { id: string; html: string }[] = [];
  const slug = slugger();
  const renderer: RendererObject = {
    heading({ tokens, depth, text }) {
      const id = slug(text);
      const html = this.parser.parseInline(tokens);
      if (depth === 2) sections.push({ id, html });
      return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
    },
    link({ href, tokens }) {
      const target = Bun.escapeHTML(servedAddress(href));
      return `<a href="${target}">${this.parser.parseInline(tokens)}</a>`;
    },
    image: ({ href, text }) => `<img src="${picture(href)}" alt="${Bun.escapeHTML(text)}">`,
    html: ({ text }) => Bun.escapeHTML(text),
    // A box that scrolls must be reachable from the keyboard.
    code: ({ text }: Tokens.Code) =>
      `<pre tabindex="0"><code>${Bun.escapeHTML(text)}</code></pre>\n`,
  };
  const parser = new Marked({ renderer, hooks: { postprocess: wrapTables } });
  return { markdown, html: parser.parse(markdown, { async: false }), sections };
};

const wrapTables = (html: string): string =>
  html
    .replaceAll(
      "<table>",
      '<div class="table" tabindex="0" role="group" aria-label="Table"><table>',
    )
    .replaceAll("</table>", "</table></div>");

/** A picture is part of its page: guides load nothing. They name it as `../pictures/NAME.png`. */
const picture = (href: string): string => {
  const file = join(import.meta.dir, "guides", href);
  return `data:image/png;base64,${readFileSync(file).toString("base64")}`;
};

/** Guides link to each other as `./sync.md#push`. On the server, that is `/docs/guides/sync#push`. */
const servedAddress = (href: string): string =>
  href.replace(/^\.\/([a-z]+)\.md(?=#|$)/, "/docs/guides/$1");

/** Returns a function that gives headings the anchors that GitHub gives them, so that links work in both places. */
export const slugger = (): ((heading: string) => string) => {
  const used = new Map<string, number>();
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const times = used.get(plain) ?? 0;
    used.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
};
