import type { Reply } from "../server/reply.ts";

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

/** The icon of the account pages, inline, because a page without an origin may not load it. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5fa8"/><path d="M8 10h16M8 16h16M8 22h9" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>',
)}`;

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
