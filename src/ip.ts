/** Which version of IP an address is written in; null for what is none. Without node:net, which costs every start 2 MB. */
export const ipVersion = (text: string): 4 | 6 | null => {
  if (IPV4.test(text)) return 4;
  // A zone may stand behind an address of one link (RFC 4007, 11).
  const address = text.replace(/%[0-9A-Za-z.:-]+$/, "");
  return /^[0-9A-Fa-f:.]+$/.test(address) && URL.canParse(`http://[${address}]`) ? 6 : null;
};

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
