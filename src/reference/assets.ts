import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpack } from "../domain/base/packing.ts";
import { staticPage, type StaticPage } from "./static-page.ts";
import { PACKED, readPackage } from "./package.ts";

/** Next to this file when run from source, embedded in the compiled binary. */
const FOLDER = join(import.meta.dir, "docs");

const SCRIPT = "text/javascript;charset=utf-8";
const STYLES = "text/css;charset=utf-8";

/**
 * Returns the package that draws `/docs`: the packed copy in the compiled binary, the installed one when run from
 * source.
 */
const explorer = (): Uint8Array<ArrayBuffer> => {
  const packed = join(import.meta.dir, PACKED);
  return existsSync(packed) ? unpack(readFileSync(packed)) : readPackage();
};

const own = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(FOLDER, name)));

const asset = (name: string, type: string, body: Uint8Array<ArrayBuffer>) => {
  const hash = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 12);
  return { body, path: `/docs/${hash}-${name}`, type };
};

const readAssets = () => ({
  "explorer.js": asset("explorer.js", SCRIPT, explorer()),
  "docs.js": asset("docs.js", SCRIPT, own("docs.js")),
  "base.css": asset("base.css", STYLES, own("base.css")),
  "docs.css": asset("docs.css", STYLES, own("docs.css")),
  "guides.css": asset("guides.css", STYLES, own("guides.css")),
});

let read: ReturnType<typeof readAssets> | null = null;

/** Read on first use, so that other commands do not spend the time. */
const assets = () => (read ??= readAssets());

/** The URL path of an asset. It contains a hash of the content, so browsers may cache it for ever. */
export const assetPath = (name: keyof ReturnType<typeof readAssets>): string => assets()[name].path;

export const assetPages = (): readonly StaticPage[] =>
  Object.values(assets()).map(({ body, path, type }) =>
    staticPage(path, () => ({
      body,
      headers: {
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        // `/docs` is sandboxed and has no origin, so the browser treats even these requests as cross-origin.
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "same-origin",
      },
    })),
  );
