import { DAY, type Instant, MINUTE } from "../../src/domain/base/instant.ts";
import type { Payload } from "../../src/domain/base/payload.ts";

// These rules are written from the specification of sync and not from the code, so that the two
// check each other.

/** A version of a record. `text` is the stamp as its writer wrote it. */
export type Version = {
  readonly updated: Instant;
  readonly text: string;
  readonly deletedAt: string | null;
  readonly payload: Payload;
};

/** A stamp from a wrong clock, and what it came with. */
export type Clamp = { readonly raw: Instant; readonly content: string; readonly at: Instant };

/** The current record, as far as plain last-write-wins is concerned. */
export type Standing = { readonly version: Version; readonly clamp: Clamp | null };

/** What becomes of a version that arrives; if it does not win, why. */
export type Arrival =
  | { readonly says: "clamped again" | "lost" | "same" | "too far ahead" }
  | { readonly says: "won"; readonly version: Version; readonly clamp: Clamp | null };

/**
 * A wrong clock must not win for ever: the greater version wins, but nothing far ahead of the
 * server's clock.
 */
export const arrive = (standing: Standing | null, sent: Version, now: Instant): Arrival => {
  const clamp = standing?.clamp ?? null;
  const content = canonical([sent.deletedAt, sent.payload]);
  if (clamp?.raw === sent.updated && clamp.content === content) return { says: "clamped again" };
  const order = standing === null ? 1 : compare(sent, standing.version);
  if (order === 0) return { says: "same" };
  if (order < 0) return { says: "lost" };
  if (sent.updated <= now + 5 * MINUTE) return { says: "won", version: sent, clamp };
  if (clamp && now < clamp.at + DAY && sent.updated <= clamp.raw) return { says: "too far ahead" };
  const updated = Math.max(now, (standing?.version.updated ?? 0) + 1);
  const text = new Date(updated).toISOString();
  const healed = { ...sent, updated, text };
  return { says: "won", version: healed, clamp: { raw: sent.updated, content, at: now } };
};

/**
 * Orders by updated_at, then a tombstone over a live record, then the canonical payload; of two
 * tombstones the later one wins.
 */
const compare = (one: Version, other: Version): number =>
  one.updated - other.updated ||
  Number(one.deletedAt !== null) - Number(other.deletedAt !== null) ||
  order(canonical(one.payload), canonical(other.payload)) ||
  order(one.deletedAt ?? "", other.deletedAt ?? "");

const order = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** The same text for the same content, in whatever order its fields are. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([one], [other]) => order(one, other));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
};
