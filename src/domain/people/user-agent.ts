import { cutText } from "../base/text.ts";

/** Tried in this order: most browsers also name the browsers that they imitate. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(HeadlessChrome|Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
];

const SHORT = 60;

/** Returns a browser's name in everyday words ("Firefox on Linux"), from its `User-Agent`. */
export const browserName = (client: string | null): string => {
  if (client === null) return "Unknown browser";
  const known = nameIn(BROWSERS, client);
  const system = nameIn(SYSTEMS, client);
  if (known === null) return cutText(client, SHORT).toWellFormed();
  return system === null ? known : `${known} on ${system}`;
};

const nameIn = (names: readonly (readonly [string, RegExp])[], client: string): string | null =>
  names.find(([, pattern]) => pattern.test(client))?.[0] ?? null;
