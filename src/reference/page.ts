import type { Reply } from "../server/reply.ts";
import { assetPath } from "./assets.ts";
import type { About } from "./static-page.ts";

/**
 * `GET /docs`: the page, at whatever address it was reached by. The package draws what `/openapi.json`
 * says; what stands inside its element is shown as its first section, and alone where no script runs.
 */
export const readPage = ({ origin }: About): Reply => ({
  body: page(Bun.escapeHTML(origin)),
  headers: SECURITY,
});

const page = (origin: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Docket</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${assetPath("docs.css")}" crossorigin="anonymous">
<script src="${assetPath("explorer.js")}" crossorigin="anonymous" defer></script>
<script src="${assetPath("docs.js")}" crossorigin="anonymous" type="module"></script>
</head>
<body>
<openapi-explorer fetch-credentials="omit" hide-server-selection default-schema-tab="body">
<div slot="overview" class="introduction">
<h1>Docket API</h1>
<p>All that programs can ask of this server at <code>${origin}</code>, to read and to try. A key or token
that you set under Authentication is kept by this page alone, and is gone when you reload it.</p>
<ul>
<li><a href="/llms.txt">/llms.txt</a>: as much as an agent with curl needs, in a few lines</li>
<li><a href="/openapi.json">/openapi.json</a>: this reference as OpenAPI 3.1, for programs</li>
<li><code>${origin}/mcp</code>: the address for agents that speak MCP, with the same keys</li>
<li><a href="/account/keys">/account/keys</a>: where keys are made and revoked</li>
</ul>
<noscript><p>This page draws the reference with a script, and yours are switched off: read
<a href="/openapi.json">/openapi.json</a> or <a href="/llms.txt">/llms.txt</a> instead.</p></noscript>
</div>
</openapi-explorer>
</body>
</html>
`;

/** The account area's icon, which a page without an origin may not load. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5fa8"/><path d="M8 10h16M8 16h16M8 22h9" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>',
)}`;

/**
 * The page runs a package that is not ours, so it is kept apart from the account: sandboxed, without
 * `allow-same-origin`, it has no origin, sends and sees no cookie, and has no storage. It may ask this
 * server alone. Forms are for its fields: none is ever sent (`form-action`).
 */
const POLICY = [
  "sandbox allow-scripts allow-forms",
  "default-src 'none'",
  "script-src 'self'",
  // The package styles its elements one by one. Styles can load nothing here but `data:` pictures.
  "style-src 'self' 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY = {
  "content-type": "text/html;charset=utf-8",
  "content-security-policy": POLICY,
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "x-frame-options": "DENY",
};
