import { assetPath } from "../../../src/reference/assets.ts";
import { GUIDES } from "../../../src/reference/guides.ts";

/** Every style sheet and script of the reference. */
export const ASSETS = (
  ["explorer.js", "docs.js", "base.css", "docs.css", "guides.css"] as const
).map(assetPath);

/** Every page and text of the guides. */
export const GUIDE_ADDRESSES: readonly string[] = [
  "/docs/guides",
  ...GUIDES.flatMap(({ name }) => [`/docs/guides/${name}`, `/docs/guides/${name}.md`]),
];

/** Everything that the reference serves. */
export const ADDRESSES: readonly string[] = ["/docs", "/llms.txt", ...GUIDE_ADDRESSES, ...ASSETS];

/** The complete Content-Security-Policy of `/docs`. Nothing else may be allowed. */
export const POLICY =
  "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'self'; " +
  "style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** The complete Content-Security-Policy of the guides: text and style sheets. */
export const GUIDE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/** Headers that every reply here has. */
export const ALWAYS = {
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Returns a reply's headers, without those that Bun always adds. */
export const headersOf = (headers: Headers): Readonly<Record<string, string>> => {
  const { date: _date, "content-length": _length, ...own } = Object.fromEntries(headers);
  return own;
};
