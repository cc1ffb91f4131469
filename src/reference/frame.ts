import type { Reply } from "../server/call.ts";

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
