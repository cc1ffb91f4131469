import type { Change } from "./change.ts";
import type { AppliedAs, Clamp, Pushed } from "../records/row.ts";
import { wyhash64 } from "../base/hash.ts";
import { DAY, type Instant, MINUTE } from "../base/instant.ts";
import { canonical, type Payload } from "../base/payload.ts";
import { compareTexts } from "../base/text.ts";

/** How far a device's stamp may be ahead of the server's clock and still be stored as sent. */
const TOLERANCE = 5 * MINUTE;
/** How long a clamped stamp keeps other stamps that are also ahead, but not above it, from winning. */
const CLAMP_MEMORY = DAY;

/** The parts of a stored record that decide which version wins. */
export type Stored = {
  readonly updated: Instant;
  /** Its stamp as devices were given it. */
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly payloadText: string;
  readonly payload: Payload;
  readonly clamp: Clamp | null;
  /** Null if no device ever pushed it. */
  readonly pushed: Pushed | null;
};

/**
 * `updated` is the stamp to store; `clamp` is set if that differs from the stamp sent. `repeated`: the version
 * is what a device pushed last, and was not stored as sent. `late`: newer than what any device pushed, older
 * only than what was written over REST since.
 */
export type Verdict =
  | { readonly outcome: "applied"; readonly updated: Instant; readonly clamp: Clamp | null }
  | { readonly outcome: "repeated"; readonly as: AppliedAs }
  | { readonly outcome: "late" }
  | { readonly outcome: "same" }
  | { readonly outcome: "same_clamped"; readonly merged: boolean }
  | { readonly outcome: "stale" };

/**
 * Judges one pushed record against the stored one. The greater of (updated_at, tombstone over live, canonical
 * payload) wins. The order is total, so the same pushes in any order, repeated or split, end in the same
 * rows. An identical record is a no-op, so a retry changes nothing.
 */
export const judge = (stored: Stored | null, change: Change, now: Instant): Verdict => {
  const clamp = stored?.clamp ?? null;
  // A version that the device was given has the server's own stamp, even if the server's clock was set back since.
  const ahead = !isGiven(change) && change.updated > now + TOLERANCE;
  const content = ahead || clamp?.raw === change.updated ? contentOf(change) : "";
  if (clamp && clamp.raw === change.updated && clamp.content === content)
    return { outcome: "same_clamped", merged: isMergedAgain(stored?.pushed ?? null, change) };
  const order = stored === null ? 1 : compare(change, stored);
  if (order === 0) return { outcome: "same" };
  // However far ahead its stamp is: a version that has to be clamped never wins over one that is newer as
  // sent.
  if (stored && order < 0) return judgeOlder(stored, change);
  // After a restore, an edit may have got the stamp of a version that was lost. Sent again, that does not win.
  if (stored && isGiven(change) && change.updated === stored.updated) return { outcome: "stale" };
  if (!ahead) return { outcome: "applied", updated: change.updated, clamp: null };
  const remembered = clamp !== null && now < clamp.at + CLAMP_MEMORY;
  // An edit of the current version is later than what made that, whatever stamp that was sent with.
  const isNext = stored !== null && change.base === stored.updatedAt;
  if (remembered && change.updated <= clamp.raw && !isNext) return { outcome: "stale" };
  return {
    outcome: "applied",
    updated: Math.max(now, (stored?.updated ?? 0) + 1),
    clamp: { raw: change.updated, content, at: now },
  };
};

/** A stored version: its own stamp, and the stamp of the transaction that stored it. */
type Written = Pick<Stored, "updated"> & { readonly changedAt: Instant };

/**
 * Whether a later version is stored than the device expects, if it expects one. Then nothing is taken: the device makes
 * its edit again, on the later version. `restored` is the newest stamp in the backup of a restore that the device has not
 * noticed, or null: what was written since is later than what it knows, whatever its stamp. It does not hold for what is
 * the stored version itself, sent again; nor for a version that the device was given, if that does not win.
 */
export const isOvertaken = (
  { updated, changedAt }: Written,
  change: Change,
  { outcome }: Verdict,
  restored: Instant | null,
): boolean => {
  const { expected } = change;
  if (expected === null || outcome === "same" || outcome === "same_clamped") return false;
  if (isGiven(change) && outcome !== "applied") return false;
  return updated > expected || (restored !== null && changedAt > restored && updated !== expected);
};

/** Whether a device sends a version again that it was given. */
export const isGiven = ({ base, updatedAt }: Change): boolean => base === updatedAt;

const isMergedAgain = (pushed: Pushed | null, change: Change): boolean =>
  pushed?.as === "merged" && pushed.content === pushedContent(change);

const judgeOlder = ({ pushed }: Stored, change: Change): Verdict => {
  if (pushed?.updated === change.updated && pushed.content === pushedContent(change))
    return { outcome: "repeated", as: pushed.as };
  return { outcome: pushed === null || change.updated > pushed.updated ? "late" : "stale" };
};

/** Hashes exactly what was pushed, to recognise a retry. */
export const pushedContent = (change: Change): string =>
  wyhash64(`${change.deletedAt ?? "live"} ${change.payloadText}`).toString(36);

/**
 * Above 0 if the change wins, 0 if both are the same version. The time of deletion is compared last: without
 * it, of two tombstones that differ in nothing else the first to arrive would win.
 */
const compare = (change: Change, stored: Stored): number =>
  change.updated - stored.updated ||
  Number(change.deletedAt !== null) - Number(stored.deletedAt !== null) ||
  comparePayloads(change, stored) ||
  compareTexts(change.deletedAt ?? "", stored.deletedAt ?? "");

const comparePayloads = (change: Change, stored: Stored): number =>
  change.payloadText === stored.payloadText
    ? 0
    : compareTexts(canonical(change.payload), canonical(stored.payload));

/** Hashes a change's content, regardless of its stamp and the order of its fields. */
const contentOf = (change: Change): string =>
  new Bun.CryptoHasher("sha256")
    .update(`${change.deletedAt ?? "live"} ${canonical(change.payload)}`)
    .digest("base64url");
