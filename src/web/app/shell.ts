import { assetPath } from "../assets.ts";

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
