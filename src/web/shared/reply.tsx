import type { ComponentChild } from "preact";
import { renderToString } from "preact-render-to-string";

/** What a page answers. */
export type PageReply = {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer> | string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
};

/** An origin, beside our own, that a form of the page may lead to. */
type HtmlOptions = {
  readonly status?: number;
  readonly formAction?: string;
  readonly headers?: PageReply["headers"];
};

/** A page, written out. Preact escapes all text: what a page shows is never taken for markup. */
export const html = (
  page: ComponentChild,
  { status = 200, formAction, headers = {} }: HtmlOptions = {},
): PageReply => ({
  status,
  body: `<!doctype html>${renderToString(<>{page}</>)}`,
  headers: { ...SECURITY, "content-security-policy": policy(formAction), ...headers },
  cookies: [],
});

/** Leads on with GET: a reload never sends a form twice (RFC 9110, 15.4.4). */
export const seeOther = (location: string, cookies: readonly string[] = []): PageReply => ({
  status: 303,
  body: null,
  headers: { ...SECURITY, "content-security-policy": policy(undefined), location },
  cookies,
});

/** An answer for our own script. */
export const scriptReply = (value: unknown, cookies: readonly string[] = []): PageReply => ({
  status: 200,
  body: JSON.stringify(value),
  headers: { ...SECURITY, "content-type": "application/json", "content-security-policy": NOTHING },
  cookies,
});

/** Nothing runs, loads or frames but what the server itself holds. */
const policy = (formAction: string | undefined): string =>
  [
    NOTHING,
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    // Browsers hold a form's redirects to this as well.
    `form-action 'self'${formAction === undefined ? "" : ` ${formAction}`}`,
  ].join("; ");

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * `same-origin`, not `no-referrer`: with that, browsers send `Origin: null` with our own forms, and over
 * plain http in a home network nothing else tells them from a foreign site's. No other site is told.
 */
const SECURITY = {
  "content-type": "text/html;charset=utf-8",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};
