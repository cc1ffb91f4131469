/** Tabs in one request (specification, section 8). */
export const MAX_TABS = 100;
export const MAX_URL = 8192;

/**
 * Why a key may not file this url, or null if it may. Whoever opens the tab later is a person with
 * a browser: no scheme that runs code, no user:password that hides the host.
 */
export const urlRefusal = (url: string): string | null => {
  if (/[\s\p{Cc}]/u.test(url))
    return "must not contain spaces or control characters. Percent-encode them";
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:\/\//i.test(url)) return "must be a full http:// or https:// address";
  if (/^https?:\/\/[^/?#\\]*@/i.test(url)) return "must not contain a user name or password";
  return null;
};
