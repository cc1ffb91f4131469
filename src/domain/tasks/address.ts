import { innerAddress } from "./inner-address.ts";

/**
 * What sites and their advertisers add to addresses to follow people. Two addresses that differ in nothing else are
 * the same page.
 */
const TRACKING =
  /^(utm_\w+|_?ga|_gl|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|ysclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|mkt_tok|oly_anon_id|oly_enc_id|vero_id|_hsenc|_hsmi|__hstc|__hssc|__hsfp|hsctatracking|s_cid|wickedid|rb_clickid|ref_src|ref_url|spm|scm|_openstat|at_medium|at_campaign)$/i;

/**
 * Returns an address as it is compared before its tab may be closed: without tracking parameters, and the page's own
 * where the tab is suspended or the like. Its fragment stays, because many sites name a mail or a chat there. Text that
 * is no address is returned as it is.
 */
export const withoutTracking = (address: string): string => {
  const url = pageIn(address);
  return url === null ? address : dropTracking(url).href;
};

/**
 * Returns an address as it is compared to say that a page is saved: also without its fragment, which mostly names a
 * place on the page. A fragment that begins with `/` or `!` names a page of its own, and stays. That two addresses are
 * equal in this is no reason to close a tab, nor to leave it out of a save.
 */
export const comparable = (address: string): string => {
  const url = pageIn(address);
  if (url === null) return address;
  if (!/^#[/!]/.test(url.hash)) url.hash = "";
  return dropTracking(url).href;
};

const pageIn = (address: string): URL | null => URL.parse(innerAddress(address).url);

const dropTracking = (url: URL): URL => {
  const tracking = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  // Only then: writing the parameters again would change how they are encoded.
  for (const name of tracking) url.searchParams.delete(name);
  return url;
};
