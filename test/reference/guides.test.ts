import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { GUIDES } from "../../src/reference/guides.ts";
import { renderGuide, slugger } from "../../src/reference/markdown.ts";
import { sharedServer } from "../support/replies.ts";
import { ALWAYS, GUIDE_ADDRESSES, GUIDE_POLICY, headersOf } from "../support/reference/pages.ts";
import { readText, ROOT } from "../support/reference/texts.ts";

const { call } = await sharedServer();

const NAMES = GUIDES.map(({ name }) => name);

/** Anything that would run, load or send something. A picture is in the page itself. */
const ACTIVE =
  /<(?:script|style|iframe|object|embed|form|base|img(?! src="data:image\/png;base64,[\w+/=]+" alt=))\b|\sstyle=|\son\w+=|javascript:/i;

test("Every file among the guides is a guide, and every guide has a file", () => {
  const files = readdirSync(join(ROOT, "src/reference/guides"));
  expect(files.toSorted()).toEqual(NAMES.map((name) => `${name}.md`).toSorted());
});

describe.each(GUIDE_ADDRESSES.filter((path) => !path.endsWith(".md")))("%s", (path) => {
  test("is a page that runs nothing", async () => {
    const { status, headers, text } = await call("GET", `!${path}`);
    expect([status, headersOf(headers)]).toEqual([
      200,
      {
        ...ALWAYS,
        "cache-control": "no-store",
        "content-security-policy": GUIDE_POLICY,
        "content-type": "text/html;charset=utf-8",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "x-frame-options": "DENY",
        "x-request-id": expect.any(String) as unknown as string,
      },
    ]);
    expect(text.match(ACTIVE)).toBeNull();
  });
});

test("The list names every guide, and says what it is about", async () => {
  const { text } = await call("GET", "!/docs/guides");
  for (const { name, title, about } of GUIDES)
    expect(text).toContain(`<li><a href="/docs/guides/${name}">${title}</a><p>${about}</p></li>`);
});

describe.each(GUIDES.map((guide) => [guide.name, guide] as const))(
  "The guide %s",
  (name, guide) => {
    test("is served as a page, with the anchors of its headings and a list of its sections", async () => {
      const { text } = await call("GET", `!/docs/guides/${name}`);
      const { anchors, tokens } = await readText(`src/reference/guides/${name}.md`);
      const title = tokens.find(({ type }) => type === "heading");
      expect(title).toMatchObject({ depth: 1, text: guide.title });
      expect(text).toContain(`<title>${guide.title} · Docket</title>`);
      expect([...text.matchAll(/<h\d id="([^"]*)">/g)].map(([, id]) => id)).toEqual([...anchors]);
      const contents = [
        ...text.matchAll(/<(?:details|div) class="(?:folded|beside)">(.*?)<\/ul>/gs),
      ];
      const sections = tokens.filter((each) => each.type === "heading" && each["depth"] === 2);
      expect(contents).toHaveLength(2);
      for (const [list] of contents)
        expect(list.match(/<a href="#/g)).toHaveLength(sections.length);
    });

    test("is served as the Markdown that was written", async () => {
      const { status, headers, text } = await call("GET", `!/docs/guides/${name}.md`);
      expect([status, headersOf(headers)]).toMatchObject([
        200,
        { "cache-control": "no-store", "content-type": "text/markdown; charset=utf-8" },
      ]);
      expect(text).toBe((await readText(`src/reference/guides/${name}.md`)).text);
    });
  },
);

describe("Markdown", () => {
  test.each([
    ["Push before you pull", "push-before-you-pull"],
    ["An agent's walk", "an-agents-walk"],
    ["For authors: sign in", "for-authors-sign-in"],
    ["The `/docs` page, in short", "the-docs-page-in-short"],
    ["Größe und 長さ", "größe-und-長さ"],
    ["a_b - c", "a_b---c"],
  ])("gives the heading %j the anchor that GitHub gives it", (heading, anchor) => {
    expect(slugger()(heading)).toBe(anchor);
  });

  test("numbers headings with the same text", () => {
    const slug = slugger();
    expect([slug("Push"), slug("Push"), slug("Push")]).toEqual(["push", "push-1", "push-2"]);
  });

  test.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"],
    ["`<table>`", "<p><code>&lt;table&gt;</code></p>\n"],
    ["```html\n<table>\n```", '<pre tabindex="0"><code>&lt;table&gt;</code></pre>\n'],
    ["[a](./sync.md#push)", '<p><a href="/docs/guides/sync#push">a</a></p>\n'],
    ["[a](./sync.md)", '<p><a href="/docs/guides/sync">a</a></p>\n'],
    ["[a](#b)", '<p><a href="#b">a</a></p>\n'],
    ["[a](https://x.example/y.md)", '<p><a href="https://x.example/y.md">a</a></p>\n'],
    ['[a](<x"onclick=y>)', '<p><a href="x&quot;onclick=y">a</a></p>\n'],
  ])("%j becomes HTML that is safe and leads to the right place", (markdown, html) => {
    expect(renderGuide(markdown).html).toBe(html);
  });

  test("wraps each table in a box that scrolls, which a keyboard can reach", () => {
    expect(renderGuide("| a |\n| - |\n| 1 |").html).toMatch(
      /^<div class="table" tabindex="0" role="group" aria-label="Table"><table>.*<\/table><\/div>\n?$/s,
    );
  });
});
