import { assetPath } from "../../src/reference/assets.ts";

/** Every address of the reference: all that it serves. */
export const ADDRESSES: readonly string[] = [
  "/docs",
  "/llms.txt",
  assetPath("explorer.js"),
  assetPath("docs.js"),
  assetPath("docs.css"),
];

/** The whole policy of `/docs`, beside which nothing may be allowed. */
export const POLICY =
  "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'self'; " +
  "style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'";

/** All headers of a reply but those that every reply of Bun's has. */
export const headersOf = (headers: Headers): Readonly<Record<string, string>> => {
  const { date: _date, "content-length": _length, ...own } = Object.fromEntries(headers);
  return own;
};
