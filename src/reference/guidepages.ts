import type { Reply } from "../server/call.ts";
import { assetPath } from "./assets.ts";
import { htmlPage, htmlReply, MARK } from "./page.ts";
import { type Guide, type GuideName, GUIDES, readGuides } from "./guides.ts";
import { type StaticPage, staticPage } from "./static-page.ts";

/** The list of guides, and each guide as a page and as Markdown. */
export const guidePages = (): readonly StaticPage[] => [
  staticPage("/docs/guides", listGuides),
  ...GUIDES.flatMap(({ name }) => [
    staticPage(`/docs/guides/${name}`, () => readGuide(name)),
    staticPage(`/docs/guides/${name}.md`, () => readMarkdown(name)),
  ]),
];

const listGuides = (): Reply => {
  const items = GUIDES.map(
    ({ name, title, about }) =>
      `<li><a href="/docs/guides/${name}">${title}</a><p>${about}</p></li>`,
  );
  return page(
    "Guides",
    `<main><h1>Guides</h1>\n<ul class="list">\n${items.join("\n")}\n</ul></main>`,
  );
};

const readGuide = async (name: GuideName): Promise<Reply> => {
  const guide = (await readGuides())[name];
  const { title } = GUIDES.find((each) => each.name === name) ?? { title: name };
  return page(title, `${contents(guide)}\n<main>\n${guide.html}${footer(name)}</main>`);
};

const readMarkdown = async (name: GuideName): Promise<Reply> => ({
  body: (await readGuides())[name].markdown,
  headers: { "content-type": "text/markdown; charset=utf-8" },
});

const page = (title: string, body: string): Reply => {
  const head = `<title>${title} · Docket</title>
<link rel="stylesheet" href="${assetPath("base.css")}">
<link rel="stylesheet" href="${assetPath("guides.css")}">`;
  return htmlReply(htmlPage(head, `${HEADER}\n${body}`), POLICY);
};

const HEADER = `<header>
<a class="brand" href="/docs/guides">${MARK}Docket guides</a>
<nav aria-label="Site"><a href="/docs">API reference</a><a href="/account">Account</a></nav>
</header>`;

/**
 * The contents, twice: folded above the text on a narrow screen, beside it on a wide one. `guides.css` shows one of
 * the two.
 */
const contents = ({ sections }: Guide): string => {
  const links = sections.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`);
  const list = `<ul>\n${links.join("\n")}\n</ul>`;
  return `<nav class="contents" aria-label="Contents">
<details class="folded"><summary>On this page</summary>
${list}
</details>
<div class="beside">
<p>On this page</p>
${list}
</div>
</nav>`;
};

const footer = (name: GuideName): string => {
  const others = GUIDES.filter((each) => each.name !== name).map(
    (each) => `<a href="/docs/guides/${each.name}">${each.title}</a>`,
  );
  return `<footer>
<p>Other guides: ${others.join(" · ")}</p>
<p><a href="/docs/guides/${name}.md">This guide as Markdown</a></p>
</footer>
`;
};

/** No scripts, frames or forms: only text, our style sheets and the icon. */
const POLICY = ["default-src 'none'", "style-src 'self'", "img-src data:"];
