import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { GUIDES } from "../../src/reference/guides.ts";
import { sharedServer } from "../support/replies.ts";
import { GUIDE_ADDRESSES } from "../support/reference/pages.ts";
import { linksOf, readText, ROOT, TEXTS } from "../support/reference/texts.ts";

const server = await sharedServer();

describe.each(TEXTS)("%s, in a repository browser", (path) => {
  test("links to files and headings that exist", async () => {
    const text = await readText(path);
    for (const href of linksOf(text)) {
      if (href.startsWith("https://")) continue;
      const [file = "", anchor] = href.split("#");
      const target = file === "" ? path : normalize(join(dirname(path), file));
      expect([href, existsSync(join(ROOT, target))]).toEqual([href, true]);
      if (anchor === undefined) continue;
      expect([href, (await readText(target)).anchors.includes(anchor)]).toEqual([href, true]);
    }
  });

  test("has one title, and no two headings with the same text", async () => {
    const { tokens, anchors } = await readText(path);
    const titles = tokens.filter((token) => token.type === "heading" && token["depth"] === 1);
    expect(titles).toHaveLength(1);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  test("contains no raw HTML", async () => {
    const { tokens } = await readText(path);
    expect(tokens.filter(({ type }) => type === "html")).toEqual([]);
  });
});

test.each(TEXTS.filter((path) => path !== "README.md"))(
  "%s links to other guides and other sites only, since the server has no other file",
  async (path) => {
    const names = GUIDES.map(({ name }) => `\\./${name}\\.md`).join("|");
    const allowed = new RegExp(`^(?:https://|#|(?:${names})(?:#|$))`);
    expect(linksOf(await readText(path)).filter((href) => !allowed.test(href))).toEqual([]);
  },
);

/** Returns the links and ids in a page. */
const pageAt = async (path: string) => {
  const { status, text } = await server.call("GET", `!${path}`);
  const valuesOf = (attribute: string) =>
    [...text.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map(
      ([, value]) => value ?? "",
    );
  return { status, hrefs: valuesOf("href"), ids: valuesOf("id") };
};

describe.each(GUIDE_ADDRESSES.filter((path) => !path.endsWith(".md")))("%s, as served", (path) => {
  test("links to pages and headings that exist", async () => {
    const { hrefs } = await pageAt(path);
    expect(hrefs.length).toBeGreaterThan(5);
    for (const href of hrefs) {
      const url = new URL(href, server.url + path);
      if (url.origin !== server.url) {
        expect(href).toMatch(/^(?:https:\/\/github\.com\/|data:image\/svg)/);
        continue;
      }
      const { status, ids } = await pageAt(url.pathname);
      expect([href, status]).toEqual([href, 200]);
      if (url.hash !== "") expect(ids).toContain(url.hash.slice(1));
    }
  });
});

describe.each(GUIDE_ADDRESSES.filter((path) => path.endsWith(".md")))("%s, as served", (path) => {
  test("links to Markdown that is served", async () => {
    const text = await readText(`src/reference/guides/${path.split("/").pop()}`);
    for (const href of linksOf(text).filter((each) => each.startsWith("./"))) {
      const { pathname } = new URL(href, server.url + path);
      const { status, headers } = await server.call("GET", `!${pathname}`);
      expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    }
  });
});
