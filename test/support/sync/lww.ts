import { DAY, type Instant, MINUTE } from "../../../src/domain/base/instant.ts";
import type { Payload } from "../../../src/domain/base/payload.ts";
import type { Row } from "../client.ts";

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
type Clamp = { readonly raw: Instant; readonly content: string; readonly at: Instant };

/** The current record, as far as plain last-write-wins is concerned. */
export type Standing = {
  readonly version: Version;
  readonly clamp: Clamp | null;
  /** What was clamped so far, exactly as it was sent. */
  readonly clamped: readonly string[];
};

/** What becomes of a version that arrives; if it does not win, why. */
export type Arrival =
  | { readonly says: "clamped again" | "lost" | "same" | "too far ahead" }
  | { readonly says: "clamped" | "won"; readonly standing: Standing };

/**
 * A wrong clock must not win for ever: the greater version wins, but nothing far ahead of the
 * server's clock, and nothing twice.
 */
export const arrive = (before: Standing | null, sent: Version, now: Instant): Arrival => {
  const { clamp = null, clamped = [] } = before ?? {};
  const content = canonical([sent.deletedAt, sent.payload]);
  if (clamp?.raw === sent.updated && clamp.content === content) return { says: "clamped again" };
  const order = before === null ? 1 : compare(sent, before.version);
  if (order === 0) return { says: "same" };
  if (order < 0) return { says: "lost" };
  const isAhead = sent.updated > now + 5 * MINUTE;
  if (isAhead && clamp && now < clamp.at + DAY && sent.updated <= clamp.raw)
    return { says: "too far ahead" };
  if (wasClamped(before, sent)) return { says: "clamped again" };
  if (!isAhead) return { says: "won", standing: { version: sent, clamp, clamped } };
  const updated = Math.max(now, (before?.version.updated ?? 0) + 1);
  const version = { ...sent, updated, text: new Date(updated).toISOString() };
  const standing = {
    version,
    clamp: { raw: sent.updated, content, at: now },
    clamped: [...clamped, exactly(sent)],
  };
  return { says: "clamped", standing };
};

/** Whether this very version was clamped before. */
const wasClamped = (before: Standing | null, sent: Version): boolean =>
  before?.clamped.includes(exactly(sent)) ?? false;

const exactly = ({ text, deletedAt, payload }: Version): string =>
  canonical([text, deletedAt, payload]);

export const versionOf = (row: Row): Version => ({
  updated: Date.parse(row.updated_at),
  text: row.updated_at,
  deletedAt: row.deleted_at,
  payload: row.payload,
});

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
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).toSorted(([one], [other]) => order(one, other));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
};
