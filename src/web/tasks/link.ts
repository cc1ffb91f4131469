/**
 * A saved address that a browser may open: a web address, as it was parsed, and the host that it leads to.
 */
export type WebLink = { readonly href: string; readonly host: string };

/**
 * Null for anything that is not a web address (`javascript:`, `data:`, `file:`, ...). The address is judged
 * and linked as parsed, because browsers ignore spaces and line breaks that would hide a scheme from us. The
 * host is the real one, after any `user:password@`, with letters of other scripts written out (`xn--...`).
 */
export const webLink = (url: string): WebLink | null => {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol)
    ? { href: parsed.href, host: parsed.host }
    : null;
};
