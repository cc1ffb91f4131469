import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPage, type Page } from "./shared/page.ts";

/** Next to this file when run from source; embedded in the compiled binary. */
export const FOLDER = join(import.meta.dir, "assets");

const TYPES = {
  "style.css": "text/css;charset=utf-8",
  "app.js": "text/javascript;charset=utf-8",
  "passkeys.js": "text/javascript;charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

type AssetName = keyof typeof TYPES;

/** The files that make up an asset. */
const PARTS: Readonly<Record<AssetName, readonly string[]>> = {
  "style.css": ["tokens.css", "style.css"],
  "app.js": ["app.js"],
  "passkeys.js": ["passkeys.js"],
  "icon.svg": ["icon.svg"],
};

/** An address that changes with the content. */
export const hashedPath = (name: string, body: string | Uint8Array): string => {
  const hash = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 12);
  return `/assets/${hash}-${name}`;
};

const load = (name: AssetName) => {
  const body = new Uint8Array(
    Buffer.concat(PARTS[name].map((part) => readFileSync(join(FOLDER, part)))),
  );
  return { body, path: hashedPath(name, body), type: TYPES[name] };
};

const ASSETS = {
  "style.css": load("style.css"),
  "app.js": load("app.js"),
  "passkeys.js": load("passkeys.js"),
  "icon.svg": load("icon.svg"),
} satisfies Readonly<Record<AssetName, unknown>>;

/** An asset's path. It contains a hash of the content, so browsers may cache it forever. */
export const assetPath = (name: AssetName): string => ASSETS[name].path;

export const serveAssets = (): readonly Page[] =>
  Object.values(ASSETS).map(({ body, path, type }) =>
    openPage("GET", path, () => ({
      status: 200,
      body,
      headers: {
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
      },
      cookies: [],
    })),
  );
