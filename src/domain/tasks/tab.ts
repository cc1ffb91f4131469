/** Tabs in one request (specification, section 8). */
export const MAX_TABS = 100;
export const MAX_URL = 8192;

/**
 * Returns why a key may not file this URL, or null if it may. A person will open the tab in a browser later,
 * so no scheme may run code, and no `user:password` may hide the host.
 */
export const urlRefusal = (url: string): string | null => {
  if (/[\s\p{Cc}]/u.test(url))
    return "must not contain spaces or control characters. Percent-encode them";
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:\/\//i.test(url)) return "must be a full http:// or https:// address";
  if (/^https?:\/\/[^/?#\\]*@/i.test(url)) return "must not contain a user name or password";
  return null;
};
