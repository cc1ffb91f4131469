import type { TaskPosition, TaskFilter } from "../../db/records/lists/task-filter.ts";
import { wyhash64 } from "../../domain/base/hash.ts";
import { type Instant, isInstant } from "../../domain/base/instant.ts";
import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";

/** Where a list continues: a position in it, and the server time of its first page. */
export type Cursor = { readonly place: TaskPosition; readonly first: Instant };

/**
 * Returns an opaque cursor. It says nothing about the account, and only works with the filters it was made
 * for.
 */
export const writeCursor = ({ place, first }: Cursor, filter: TaskFilter): string =>
  Buffer.from(
    JSON.stringify([place.changedAt, place.id, first, hashOf(filter), place.tier]),
  ).toString("base64url");

/**
 * Reads the cursor of a query; null if there is none. Refuses one that is malformed or was made for other
 * filters.
 */
export const readCursor = (text: string | undefined, filter: TaskFilter): Cursor | null => {
  if (text === undefined) return null;
  const [changedAt, id, first, hash, tier] = decode(text);
  if (!isInstant(changedAt) || typeof id !== "string" || !isInstant(first) || !isTier(tier))
    throw invalid(
      say`${{ parameter: "cursor" }} is not valid. Send the next_cursor of the previous page, or leave cursor out to start again.`,
    );
  if (hash !== hashOf(filter))
    throw invalid(
      say`${{ parameter: "cursor" }} belongs to other filters. Send the filters it came with, or leave cursor out to start again.`,
    );
  return { place: { tier, changedAt, id }, first };
};

const isTier = (value: unknown): value is number => Number.isSafeInteger(value);

const decode = (text: string): readonly unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

const hashOf = (filter: TaskFilter): string => wyhash64(JSON.stringify(filter)).toString(36);
