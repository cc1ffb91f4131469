import type { Change } from "./change.ts";
import { wyhash64 } from "../base/hash.ts";
import { DAY, type Instant, MINUTE } from "../base/instant.ts";
import { canonical, deserialise } from "../base/payload.ts";

/** How far ahead of the server's clock a device's stamp may be and still be taken as it is. */
const TOLERANCE = 5 * MINUTE;
/** How long a clamped stamp keeps others that are also ahead, but not above it, from winning. */
const CLAMP_MEMORY = DAY;

/** The stamp that a device with a wrong clock sent, kept so that its retry is known again. */
export type Clamp = {
  readonly raw: Instant;
  readonly content: string;
  readonly at: Instant;
};

/**
 * How a device's version was taken: as it was, with work put back that it cannot have known (`merged`),
 * or though it was older than what had been written over REST since (`late`).
 */
export type Taken = "applied" | "late" | "merged";

/** The version of a record that a device pushed last. */
export type Pushed = { readonly updated: Instant; readonly content: string; readonly as: Taken };

/** A stored record, as far as it decides who wins. */
export type Standing = {
  readonly updated: Instant;
  readonly deletedAt: string | null;
  readonly payloadText: string;
  readonly clamp: Clamp | null;
  /** Null where no device ever pushed it. */
  readonly pushed: Pushed | null;
};

/**
 * `updated` is the stamp to store; `clamp` is set where it is not the one that was sent. `again`: it is what a
 * device pushed last, and does not stand as it was sent. `late`: newer than what any device pushed, older only
 * than what was written over REST since.
 */
export type Verdict =
  | { readonly outcome: "applied"; readonly updated: Instant; readonly clamp: Clamp | null }
  | { readonly outcome: "again"; readonly as: Taken }
  | { readonly outcome: "late" }
  | { readonly outcome: "same" }
  | { readonly outcome: "same_clamped"; readonly merged: boolean }
  | { readonly outcome: "stale" };

/**
 * Judges one pushed record against what is stored: the greater of (updated_at, tombstone over live,
 * canonical payload) wins. The order is total, so the same pushes in any order, repeated or split,
 * end in the same rows; an identical record is a no-op, so a retry changes nothing.
 */
export const judge = (standing: Standing | null, change: Change, now: Instant): Verdict => {
  const clamp = standing?.clamp ?? null;
  const ahead = change.updated > now + TOLERANCE;
  const content = ahead || clamp?.raw === change.updated ? contentOf(change) : "";
  if (clamp && clamp.raw === change.updated && clamp.content === content)
    return { outcome: "same_clamped", merged: isMergedAgain(standing?.pushed ?? null, change) };
  const order = standing === null ? 1 : compare(change, standing);
  if (order === 0) return { outcome: "same" };
  // However far ahead it is: what is stamped anew never wins over what is newer as it stands.
  if (standing && order < 0) return judgeOlder(standing, change);
  if (!ahead) return { outcome: "applied", updated: change.updated, clamp: null };
  const remembered = clamp !== null && now < clamp.at + CLAMP_MEMORY;
  if (remembered && change.updated <= clamp.raw) return { outcome: "stale" };
  return {
    outcome: "applied",
    updated: Math.max(now, (standing?.updated ?? 0) + 1),
    clamp: { raw: change.updated, content, at: now },
  };
};

const isMergedAgain = (pushed: Pushed | null, change: Change): boolean =>
  pushed?.as === "merged" && pushed.content === pushedContent(change);

const judgeOlder = ({ pushed }: Standing, change: Change): Verdict => {
  if (pushed?.updated === change.updated && pushed.content === pushedContent(change))
    return { outcome: "again", as: pushed.as };
  return { outcome: pushed === null || change.updated > pushed.updated ? "late" : "stale" };
};

/** A hash of what was pushed, letter by letter, by which its retry is known. */
export const pushedContent = (change: Change): string =>
  wyhash64(`${change.deletedAt ?? "live"} ${change.payloadText}`).toString(36);

/**
 * Above 0 where the change wins, 0 where both are the same version. When it was deleted comes last:
 * without it the first of two tombstones that differ in nothing else would stand.
 */
const compare = (change: Change, standing: Standing): number =>
  change.updated - standing.updated ||
  Number(change.deletedAt !== null) - Number(standing.deletedAt !== null) ||
  comparePayloads(change.payloadText, standing.payloadText) ||
  compareTexts(change.deletedAt ?? "", standing.deletedAt ?? "");

const comparePayloads = (a: string, b: string): number =>
  a === b ? 0 : compareTexts(canonical(deserialise(a)), canonical(deserialise(b)));

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a > b ? 1 : -1);

/** A hash of what a change says, its stamp and the order of its fields apart. */
const contentOf = (change: Change): string =>
  new Bun.CryptoHasher("sha256")
    .update(`${change.deletedAt ?? "live"} ${canonical(change.payload)}`)
    .digest("base64url");
