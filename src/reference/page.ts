import type { Reply } from "../server/call.ts";
import { assetPath } from "./assets.ts";
import { htmlPage, htmlReply } from "./frame.ts";
import type { About } from "./static-page.ts";

/**
 * `GET /docs`: the API reference, with the address that the reader used. The package draws it from `/openapi.json`,
 * and shows the text inside its element as the first section. Without scripts, that text is the whole page.
 */
export const readPage = ({ origin }: About): Reply =>
  htmlReply(htmlPage(head(), body(Bun.escapeHTML(origin))), POLICY);

const head = (): string => `<title>API reference · Docket</title>
<link rel="stylesheet" href="${assetPath("base.css")}" crossorigin="anonymous">
<link rel="stylesheet" href="${assetPath("docs.css")}" crossorigin="anonymous">
<script src="${assetPath("explorer.js")}" crossorigin="anonymous" defer></script>
<script src="${assetPath("docs.js")}" crossorigin="anonymous" type="module"></script>`;

const body = (
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
