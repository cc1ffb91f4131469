/**
 * Which version of IP an address is written in; null for what is none. Most are of the fourth, and node:net, which
 * takes each start 2 MB, is not loaded for those.
 */
export const ipVersion = (text: string): 4 | 6 | null => {
  if (IPV4.test(text)) return 4;
  return text.includes(":") && process.getBuiltinModule("node:net").isIPv6(text) ? 6 : null;
};

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
