import { assetPath } from "../assets.ts";
import { readBegun } from "../../db/people/begun.ts";
import { openAppSession } from "../../db/people/sessions.ts";
import { deriveSecret } from "../../domain/base/secret.ts";
import { browserName } from "../../domain/people/session.ts";
import { type PageContext, readCookie } from "../shared/page.ts";
import { type PageReply, scriptReply } from "../shared/reply.tsx";

/** Where the page's own files are. */
type Paths = { readonly script: string; readonly early: string; readonly styles: string };

/**
 * The page in which the web app runs. It contains nothing of the account, so a browser may keep it for use without a
 * network. Until the script has read its store, the page shows the outline of a list. The early script waits for neither
 * the style sheet nor the other one.
 */
export const shellPage = ({ script, early, styles }: Paths): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f6f4">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#131417">
<title>Tasks · Docket</title>
<link rel="manifest" href="/tasks/manifest.webmanifest">
<link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml">
<link rel="apple-touch-icon" href="/tasks/icon-180.png">
<script type="module" async src="${early}"></script>
<link rel="stylesheet" href="${styles}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"><div class="skeleton" aria-hidden="true">${"<i></i>".repeat(9)}</div></div>
<noscript><p class="no-script">Your tasks need JavaScript, and your browser has it turned off. <a href="/account">Your account</a> works without it.</p></noscript>
</body>
</html>
`;

/**
 * `POST /tasks/session`: the token with which the web app calls the API, and whose it is. The app keeps the token in
 * memory only. It is derived from the cookie, so that it ends with the browser session, and all windows share one
 * device. Other sites cannot ask: the request's origin is checked, and they could not read the reply. The reply also
 * says if a proxy in front of Docket asks for a password of its own, which agents and the extension do not have.
 */
export const postAppSession = async (context: PageContext): Promise<PageReply> => {
  const cookie = readCookie(context.request, context.origin, "docket");
  if (!context.who || cookie === null) return SIGNED_OUT;
  const { account, browserSession } = context.who;
  const token = deriveSecret("sess", cookie);
  const name = `${browserName(context.client)}, web app`;
  const open = await openAppSession(context.store, browserSession, name, token, context.now);
  if (!open) return SIGNED_OUT;
  const { id, email } = account;
  const isBehindPassword = /^basic /i.test(context.request.headers.get("authorization") ?? "");
  return scriptReply({
    token,
    account: { id: String(id), email },
    ...(isBehindPassword ? { isBehindPassword } : {}),
    setUp: await readBegun(context.store, id),
  });
};

const SIGNED_OUT: PageReply = {
  ...scriptReply({ error: "You are not signed in." }),
  status: 401,
};

/** What the web app's page may do: load and ask this server only. No script or style stands in the page itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  // Text of pages and agents can never become markup, whatever a bug does.
  "require-trusted-types-for 'script'",
  "trusted-types docket-worker",
].join("; ");

export const APP_HEADERS = {
  "content-type": "text/html;charset=utf-8",
  "content-security-policy": POLICY,
  "cache-control": "no-cache",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

/** For files other than the page: they are never shown by themselves. */
export const FILE_HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

export const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" };
