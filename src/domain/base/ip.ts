/**
 * Returns the IP version of an address, or null if it is not one. Most addresses are IPv4; for them
 * node:net, which adds 2 MB to each start, is not loaded.
 */
export const ipVersion = (text: string): 4 | 6 | null => {
  if (IPV4.test(text)) return 4;
  return text.includes(":") && process.getBuiltinModule("node:net").isIPv6(text) ? 6 : null;
};

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
