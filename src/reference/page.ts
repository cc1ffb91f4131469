import type { Reply } from "../server/call.ts";
import { assetPath } from "./assets.ts";
import type { About } from "./static-page.ts";

/**
 * `GET /docs`: the API reference, with the address that the reader used. The package draws it from `/openapi.json`,
 * and shows the text inside its element as the first section. Without scripts, that text is the whole page.
 */
export const readPage = ({ origin }: About): Reply =>
  htmlReply(htmlPage(apiHead(), apiBody(Bun.escapeHTML(origin))), POLICY);

const apiHead = (): string => `<title>API reference · Docket</title>
<link rel="stylesheet" href="${assetPath("base.css")}" crossorigin="anonymous">
<link rel="stylesheet" href="${assetPath("docs.css")}" crossorigin="anonymous">
<script src="${assetPath("explorer.js")}" crossorigin="anonymous" defer></script>
<script src="${assetPath("docs.js")}" crossorigin="anonymous" type="module"></script>`;

const apiBody = (
  origin: string,
): string => `<openapi-explorer fetch-credentials="omit" hide-server-selection default-schema-tab="body">
<div slot="overview" class="introduction">
<h1>Docket API</h1>
<p>Read and try every request that programs can send to this server, <code>${origin}</code>. Set an API key
or a session token under Authentication. It stays in this page only: when you reload, it is gone.</p>
<ul>
<li><a href="/docs/guides">Guides</a>: agents, the browser extension, sync, running a server</li>
<li><a href="/llms.txt">/llms.txt</a>: a short introduction for AI agents</li>
<li><a href="/openapi.json">/openapi.json</a>: this reference as an OpenAPI 3.1 document</li>
<li><code>${origin}/mcp</code>: the address for agents that speak MCP, with the same API keys</li>
<li><a href="/account/keys">/account/keys</a>: make and revoke API keys</li>
</ul>
<noscript><p>This page needs JavaScript, and your browser has it turned off. You can read
<a href="/openapi.json">/openapi.json</a> or <a href="/llms.txt">/llms.txt</a> instead.</p></noscript>
</div>
</openapi-explorer>`;

/**
 * The page runs a package that we did not write, so it is isolated from the account pages. The sandbox leaves out
 * `allow-same-origin`: the page has no origin, no cookies and no storage, and can send requests to this server only.
 * It has form fields, so forms are allowed, but `form-action` stops them from being sent.
 */
const POLICY = [
  "sandbox allow-scripts allow-forms",
  "default-src 'none'",
  "script-src 'self'",
  // The package sets inline styles. On this page, styles can load nothing but `data:` images.
  "style-src 'self' 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
];

/** Returns a complete HTML page. */
export const htmlPage = (head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
${head}
</head>
<body>
${body}
</body>
</html>
`;

/** Docket's mark, as the app and the account pages show it. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4353d6"/><path d="M9 6h9.2a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V24a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z" fill="#fff"/><path d="M11.3 17.2l3 3 5.6-6.4" fill="none" stroke="#4353d6" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The icon of the pages, inline, because a page without an origin may not load it. */
const ICON = `data:image/svg+xml,${encodeURIComponent(MARK)}`;

/**
 * Returns an HTML page as a reply. `policy` lists what its Content-Security-Policy allows; nothing else is. The page
 * can never be framed or send a form.
 */
export const htmlReply = (html: string, policy: readonly string[]): Reply => ({
  body: html,
  headers: {
    "content-type": "text/html;charset=utf-8",
    "content-security-policy": [
      ...policy,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
  },
});
