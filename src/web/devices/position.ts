import type { SessionPosition } from "../../db/people/session-pages.ts";
import { isInstant } from "../../domain/base/instant.ts";

/** Which part of the address holds the place in each list. */
export const PLACES = { live: "cursor", ended: "ended" } as const;

/** The address of a page of one of the two lists. The cursor is opaque to its readers. */
export const devicesPath = (kind: keyof typeof PLACES, { at, id }: SessionPosition): string =>
  `/account/devices?${PLACES[kind]}=${Buffer.from(JSON.stringify([at, id])).toString("base64url")}${kind === "ended" ? "#ended" : ""}`;

/** Where a page of a list starts; null for a cursor that was not made here. */
export const readDevicesPosition = (cursor: string): SessionPosition | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const [at, id] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return isInstant(at) && typeof id === "string" ? { at, id } : null;
  } catch {
    return null;
  }
};
