import type { GonePosition } from "../../db/sqlite/history/gone.ts";
import { isInstant } from "../../domain/base/instant.ts";
import { isTable } from "../../domain/base/record.ts";

/** The address of a page of the list. The cursor is opaque to its readers. */
export const deletedPath = ({ at, table, id }: GonePosition): string =>
  `/account/deleted?cursor=${Buffer.from(JSON.stringify([at, table, id])).toString("base64url")}`;

/** Where a page of the list starts; null for a cursor that was not made here. */
export const readDeletedPosition = (cursor: string): GonePosition | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const [at, table, id] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return isInstant(at) && isTable(table) && typeof id === "string" ? { at, table, id } : null;
  } catch {
    return null;
  }
};
