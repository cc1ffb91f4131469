import { invalid } from "../base/refusal.ts";

// The small pictures of web sites that clients show beside tabs. A device's browser has them; nobody fetches them.

/** A site's picture: a PNG as base64 text. */
export type Icon = { readonly host: string; readonly png: string };

/** Pictures in one call, and hosts that one call may ask for. */
export const MAX_ICONS_SENT = 50;
export const MAX_ICONS_ASKED = 100;

/** In characters, of the hosts in one call. An address must fit into what servers and proxies read of it. */
export const MAX_HOSTS = 4_000;

/** Pictures that an account keeps. For another one, the one that was sent first goes. */
export const MAX_ICONS = 2_000;

/** In bytes, and in pixels of either side. */
export const MAX_ICON = 2_048;
const MAX_SIDE = 64;

export const MAX_HOST = 261;

/** The signs of a host as an address has it: in small letters, with a port if it has one. */
const SIGNS = String.raw`a-z0-9_.:\[\]`;
const HOST = new RegExp(`^[${SIGNS}-]{1,${MAX_HOST}}$`);

/** A pattern of hosts, separated by commas. */
export const HOSTS = `^[${SIGNS},-]+$`;

/** Returns the host under which an address has its picture, such as `example.org` or `localhost:3000`; null if it is not on the web. */
export const iconHost = (address: string): string | null => {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return HOST.test(url.host) ? url.host : null;
};

/** Returns the bytes of a picture that a device sent. Refuses one that is not what it should be. */
export const parseIcon = (icon: Icon, at: number): Uint8Array<ArrayBuffer> => {
  if (!HOST.test(icon.host))
    throw invalid(
      `icons[${at}].host must be a host in small letters, such as example.org or localhost:3000.`,
    );
  const bytes = fromBase64(icon.png);
  if (bytes === null || !isPng(bytes))
    throw invalid(
      `icons[${at}].png must be a PNG of at most ${MAX_ICON} bytes and ${MAX_SIDE} pixels a side, as base64.`,
    );
  return bytes;
};

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

/** The beginning of every PNG, up to its size (PNG, third edition, sections 5.2 and 11.2.1). */
const BEGINNING = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];

const isPng = (bytes: Uint8Array<ArrayBuffer>): boolean => {
  if (bytes.length > MAX_ICON || bytes.length < BEGINNING.length + 8) return false;
  if (BEGINNING.some((byte, at) => bytes[at] !== byte)) return false;
  const view = new DataView(bytes.buffer);
  return [16, 20].every((at) => {
    const side = view.getUint32(at);
    return side >= 1 && side <= MAX_SIDE;
  });
};
