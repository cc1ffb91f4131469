/** A saved address that a browser may open: of the web, as it was parsed, with the host that it leads to. */
export type WebLink = { readonly href: string; readonly host: string };

/**
 * Null for whatever is no address of the web (`javascript:`, `data:`, `file:`, ...). It is judged and linked as
 * parsed: browsers pass over spaces and line breaks that would hide a scheme from us. The host is
 * the real one, behind any `user:password@`, with letters of other scripts written out (`xn--...`).
 */
export const webLink = (url: string): WebLink | null => {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol)
    ? { href: parsed.href, host: parsed.host }
    : null;
};
