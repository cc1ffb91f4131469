import type { Client } from "../../client/client.ts";
import { lazy } from "../../domain/base/lazy.ts";
import { type Icon, iconHost, MAX_ICON } from "../../domain/tasks/icon.ts";
import { browser, isFirefox, type Tab } from "../browser/api.ts";
import type { Candidate } from "./tabs.ts";

// The icons of sites, as the browser itself has them. Nothing is fetched from a site.

/** In pixels. Screens show them at 16, and sharp ones at twice that. */
const SIDE = 32;

/** Keeps the icons of the sites that were saved, once per host. Never rejects: a tab is saved with or without one. */
export const keepIcons = async (
  client: Client,
  candidates: readonly Candidate[],
): Promise<void> => {
  const tabs = new Map<string, Tab>();
  for (const { url, open } of candidates) {
    const host = iconHost(url);
    if (host !== null && open !== null && !tabs.has(host)) tabs.set(host, open);
  }
  const icons: Icon[] = [];
  for (const host of await client.icons.missing([...tabs.keys()])) {
    const tab = tabs.get(host);
    const png = tab === undefined ? null : await readIcon(tab).catch(() => null);
    if (png !== null) icons.push({ host, png });
  }
  await client.icons.add(icons);
};

/** The address at which the browser shows the icon of an open tab; null if it has none. */
export const iconAddress = ({ url, favIconUrl }: Tab): string | null => {
  if (isFirefox()) return favIconUrl?.startsWith("data:image/") === true ? favIconUrl : null;
  return url === undefined ? null : cacheAddress(url);
};

/** Where Chrome's own cache answers for a page. For one that it does not know, it answers with a globe. */
const cacheAddress = (url: string): string =>
  browser.runtime.getURL(`/_favicon/?pageUrl=${encodeURIComponent(url)}&size=${SIDE}`);

/** Returns a tab's icon as a PNG of at most 2 KB, as base64; null if there is none. */
const readIcon = async (tab: Tab): Promise<string | null> => {
  const address = iconAddress(tab);
  if (address === null) return null;
  const picture = await readAddress(address);
  if (!isFirefox() && (await isGlobe(picture))) return null;
  for (const side of [SIDE, SIDE / 2]) {
    const png = await drawn(picture, side);
    if (png.size <= MAX_ICON) return base64Of(png);
  }
  return null;
};

const readAddress = async (address: string): Promise<Blob> => (await fetch(address)).blob();

const isGlobe = async (picture: Blob): Promise<boolean> =>
  (await base64Of(picture)) === (await globe());

const globe = lazy(async () => base64Of(await readAddress(cacheAddress("http://nobody.invalid/"))));

const drawn = async (picture: Blob, side: number): Promise<Blob> => {
  const size = { resizeWidth: side, resizeHeight: side, resizeQuality: "high" } as const;
  const bitmap = await createImageBitmap(picture, size);
  const canvas = new OffscreenCanvas(side, side);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
};

const base64Of = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
};
