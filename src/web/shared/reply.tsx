import type { ComponentChild } from "preact";
import { renderToString } from "preact-render-to-string";

/** The reply of a page. */
export type PageReply = {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
};

/** `formAction` is an origin, in addition to our own, that a form on the page may redirect to. */
type HtmlOptions = {
  readonly status?: number;
  readonly formAction?: string;
  readonly headers?: PageReply["headers"];
};

/** Renders a page. Preact escapes all text, so nothing that a page shows is read as markup. */
export const html = (
  page: ComponentChild,
  { status = 200, formAction, headers = {} }: HtmlOptions = {},
): PageReply => ({
  status,
  body: `<!doctype html>${renderToString(<>{page}</>)}`,
  headers: { ...SECURITY, "content-security-policy": policy(formAction), ...headers },
  cookies: [],
});

/** Redirects with GET, so that reloading never sends a form twice (RFC 9110, 15.4.4). */
export const seeOther = (location: string, cookies: readonly string[] = []): PageReply => ({
  status: 303,
  body: null,
  headers: { ...SECURITY, "content-security-policy": policy(undefined), location },
  cookies,
});

/** A JSON reply to our own script. */
export const scriptReply = (value: unknown, cookies: readonly string[] = []): PageReply => ({
  status: 200,
  body: JSON.stringify(value),
  headers: { ...SECURITY, "content-type": "application/json", "content-security-policy": NOTHING },
  cookies,
});

/** A file that the browser saves, read piece by piece as fast as it takes them. */
export const fileReply = (
  name: string,
  type: string,
  pieces: AsyncGenerator<string>,
): PageReply => ({
  status: 200,
  body: streamOf(pieces),
  headers: {
    ...SECURITY,
    "content-type": type,
    "content-security-policy": NOTHING,
    "content-disposition": `attachment; filename="${name}"`,
  },
  cookies: [],
});

const streamOf = (pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
  const text = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      // Each piece is read in a new turn of the event loop, so that other requests are answered in between.
      await new Promise((resolve) => setImmediate(resolve));
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(text.encode(value));
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
};

/** Scripts, styles, images and requests stay on this server, and no page may be framed. */
const policy = (formAction: string | undefined): string =>
  [
    NOTHING,
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    // Browsers apply this to a form's redirects as well.
    `form-action 'self'${formAction === undefined ? "" : ` ${formAction}`}`,
  ].join("; ");

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * `same-origin`, not `no-referrer`: with `no-referrer`, browsers send `Origin: null` with our own forms, and
 * over plain http in a home network nothing else distinguishes those from another site's. Other sites receive
 * no referrer either way.
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
