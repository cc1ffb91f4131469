import { join, resolve } from "node:path";
import { extensionNotices } from "../../licenses/notices.ts";
import { PHRASES, phrasesAt } from "../../ui/bundle.ts";
import { manifestFor, type Target } from "./manifest.ts";
import { zip, type ZipFile } from "./zip.ts";

const SOURCES = join(import.meta.dir, "..");

/** Returns the files that both browsers share: scripts, styles, pages and icons. */
export const buildFiles = async (): Promise<readonly ZipFile[]> => [
  ...(await bundle([
    "background/background.ts",
    "popup/popup.tsx",
    "panel/panel.tsx",
    "options/options.tsx",
  ])),
  ...(await bundle([PHRASES])),
  ...(await bundle(["style/popup.css", "style/panel.css", "style/options.css"])),
  page("popup", "Docket"),
  page("panel", "Docket"),
  page("options", "Docket options"),
  ...(await Promise.all([16, 32, 48, 128].map(icon))),
  text("licenses.txt", extensionNotices()),
];

/** Returns the package for a browser, as a zip. */
export const packageFor = (target: Target, files: readonly ZipFile[]): Uint8Array<ArrayBuffer> =>
  zip([...files, text("manifest.json", `${JSON.stringify(manifestFor(target), null, 2)}\n`)]);

export const packageName = (target: Target): string => `docket-extension-${target}.zip`;

const bundle = async (sources: readonly string[]): Promise<readonly ZipFile[]> => {
  const { outputs } = await Bun.build({
    entrypoints: sources.map((source) => resolve(SOURCES, source)),
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    naming: { entry: "[name].[ext]", chunk: "shared-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutInnerHtml, phrasesAt("./phrases.js")],
  });
  const files = outputs.map(async (output) => ({
    name: output.path.replace(/^\.\//, ""),
    content: await output.text(),
  }));
  return withPlainNames(await Promise.all(files)).map(({ name, content }) => text(name, content));
};

/**
 * Takes out of Preact what writes text as HTML. Nothing here uses it, the pages' policy forbids it, and the store of
 * Firefox warns of each script that could.
 */
const withoutInnerHtml: Bun.BunPlugin = {
  name: "without innerHTML",
  setup: (build) => {
    build.onLoad({ filter: /\/preact\/dist\/preact\.mjs$/ }, async ({ path }) => {
      const [before = "", after, ...more] = (await Bun.file(path).text()).split(WRITES_HTML);
      if (after === undefined || more.length > 0)
        throw new Error(`${path} is another one. See where it writes innerHTML.`);
      return { contents: `${before}(0)${after}`, loader: "js" };
    });
  },
};

const WRITES_HTML = /\(\w+\.innerHTML=\w+\.__html\)/;

type Script = { readonly name: string; readonly content: string };

const SHARED = /shared-\w+\.js/g;

/**
 * Numbers the scripts that others share. The bundler's own names for them depend on the folder in which the source is,
 * and the same source must give the same bytes everywhere.
 */
const withPlainNames = (scripts: readonly Script[]): readonly Script[] => {
  const plain = ({ content }: Script): string => content.replaceAll(SHARED, "");
  const shared = scripts
    .filter(({ name }) => name.startsWith("shared-"))
    .toSorted((a, b) => (plain(a) < plain(b) ? -1 : 1));
  const names = new Map(shared.map(({ name }, at) => [name, `shared-${at + 1}.js`]));
  const renamed = (content: string): string =>
    content.replaceAll(SHARED, (name) => names.get(name) ?? name);
  return scripts.map(({ name, content }) => ({ name: renamed(name), content: renamed(content) }));
};

const page = (name: string, title: string): ZipFile =>
  text(
    `${name}.html`,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${name}.css">
<script type="module" src="${name}.js"></script>
</head>
<body><div id="${name}"></div></body>
</html>
`,
  );

const text = (name: string, content: string): ZipFile => ({
  name,
  data: new TextEncoder().encode(content),
});

const icon = async (size: number): Promise<ZipFile> => ({
  name: `icons/${size}.png`,
  data: await Bun.file(join(import.meta.dir, `icons/${size}.png`)).bytes(),
});
