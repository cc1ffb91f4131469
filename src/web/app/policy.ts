/** What the web app's page may do: load and ask this server only. No script or style stands in the page itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
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
