/**
 * What sites and their advertisers add to addresses to follow people. Two addresses that differ in nothing else are
 * the same page.
 */
const TRACKING =
  /^(utm_\w+|_?ga|_gl|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|ysclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|mkt_tok|oly_anon_id|oly_enc_id|vero_id|_hsenc|_hsmi|__hstc|__hssc|__hsfp|hsctatracking|s_cid|wickedid|rb_clickid|ref_src|ref_url|spm|scm|_openstat|at_medium|at_campaign)$/i;

/**
 * Returns an address as it is compared with others: without tracking parameters and without the fragment. A fragment
 * that begins with `/` or `!` names a page of its own, and stays. Text that is no address is returned as it is.
 */
export const comparable = (address: string): string => {
  const url = URL.parse(address);
  if (url === null) return address;
  if (!/^#[/!]/.test(url.hash)) url.hash = "";
  const tracking = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  // Only then: writing the parameters again would change how they are encoded.
  for (const name of tracking) url.searchParams.delete(name);
  return url.href;
};
