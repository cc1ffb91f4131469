import type { Instant } from "../base/instant.ts";
import {
  canonical,
  differingFields,
  fieldValue,
  listField,
  type Payload,
  sameJson,
} from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import type { ActorKind } from "../people/account.ts";
import type { ChildList } from "../tasks/child.ts";
import {
  findAlive,
  findGround,
  type Ground,
  isEnough,
  type Known,
  type PastVersion,
  type PushedEdit,
  type Sent,
  type Stored,
} from "./ground.ts";
import type { Loss, Via } from "../records/row.ts";
import { canMean, type Holder } from "./proof.ts";

/** One change in a record's history. */
export type PastStep = {
  /** The stamp of its transaction. */
  readonly stamp: Instant | null;
  /** Null if it was stored before this was recorded. */
  readonly via: Via | null;
  readonly loss: Loss;
  /** Who made the change; for a refused version, who sent it. */
  readonly byKind: ActorKind | null;
  readonly byId: string | null;
  /** Whether a device sent `before`, and it was not stored as sent. */
  readonly refused: boolean;
  /** For a refused version, the `updated_at` of the one on which the device made it, if it said so. */
  readonly base: string | null;
  /** The version before the change, or the refused one; null if there was none. */
  readonly before: PastVersion | null;
};

/** What a push proves that its device held, and what was done over REST since. */
export type Past = {
  /** The content that the device held; null if nothing is proved. Of a deleted record, the content before the deletion. */
  readonly held: Payload | null;
  /** Whether the record was deleted, as far as the device knew; null if nothing is proved. */
  readonly heldDeleted: boolean | null;
  /** Other contents that it held before that one. */
  readonly seen: readonly Payload[];
  /** The contents since, from now back to the last one that the device held; all that are known if nothing is proved. */
  readonly versions: readonly Payload[];
  /** Those since it last sent something, while the record was alive. */
  readonly since: readonly Payload[];
  /** Whether there was a restore that the device has not noticed: then what is in a list of either side stays. */
  readonly isUnited: boolean;
  /** The fields that were changed over REST, and how many changes have followed the last time. */
  readonly fields: ReadonlyMap<string, number>;
  /** What was done to the content since, the newest first. */
  readonly changes: readonly ContentChange[];
  /** How many changes have followed the last deletion or revival, if that was made over REST. */
  readonly deletion: number | null;
  /** The content now; of a deleted record, the content before the deletion. */
  readonly content: Payload;
  /**
   * Whether a value of a field counts as left alone, although it is not the one that the device is proved to have held:
   * without a named base, if the field had it before it was last changed over REST, and not since.
   */
  readonly wasLeft: (field: string, value: unknown) => boolean;
  /** The same for an item of a list. */
  readonly wasLeftIn: (list: ChildList, item: unknown) => boolean;
};

/** The content before a change and after it, and whether it was made over REST. */
type ContentChange = {
  readonly before: Payload;
  readonly after: Payload;
  readonly isRest: boolean;
};

/** Reads a record's past, one step at a time. */
export type PastReading = {
  /** Takes the next step, newest first. Returns whether enough is known. */
  readonly add: (step: PastStep) => boolean;
  readonly end: () => Past;
};

/** More changes than this are not read. Of a device that is further behind, nothing is proved. */
const MOST_CHANGES = 500;

/** Starts to read a record's past from its current version. */
export const startPast = (now: PastVersion, holder: Holder, edit: PushedEdit): PastReading => {
  const stored: Stored[] = [];
  const sent: Sent[] = [];
  const known = { stored, sent, holder, edit };
  let current = now;
  let isOpen = true;
  return {
    add: (step) => {
      const { stamp, byKind, byId, loss, refused, base, before } = step;
      if (refused) {
        const isOwn = byKind === "session" && byId === holder.sessionId;
        const isMerged = loss !== "stale";
        if (before) sent.push({ ...before, base, isOwn, isMerged, depth: stored.length });
        return false;
      }
      stored.push({ ...current, stamp, isOldest: false, isRest: isOverRest(step) });
      if (before) current = before;
      isOpen = before !== null && stored.length <= MOST_CHANGES && !isEnough(known);
      return !isOpen;
    },
    end: () => {
      if (isOpen) stored.push({ ...current, stamp: null, isOldest: true, isRest: false });
      return pastOf(known, stored.length > MOST_CHANGES ? null : findGround(known));
    },
  };
};

/** Changes stored before the way was recorded: a device's own writes over REST cannot be told from its pushes. */
const isOverRest = ({ via, byKind, loss }: PastStep): boolean =>
  via === null
    ? byKind === "api_key" || byKind === "person" || loss === "restored" || loss === "undone"
    : via === "rest";

const pastOf = (known: Known, ground: Ground | null): Past => {
  const { stored, holder, edit } = known;
  const { sent = [], depth: last = stored.length - 1 } = ground ?? {};
  const isFound = ground !== null && ground.isUnknown !== true;
  // Nobody looks at a deleted record: what the device knows of it, it was given while the record was alive.
  const isForgotten = isFound && edit.isFromMemory && stored[last]?.deletedAt !== null;
  const alive = isForgotten ? findAlive(known, last) : last;
  const depth = alive < 0 ? stored.length - 1 : alive;
  const isProved = isFound && alive >= 0;
  const isNamed = isProved && ground.isNamed && !isForgotten;
  // A version that it was given has nothing of its own in it. Nor is it known what else there was before a restore.
  const isAllLeft = edit.base === edit.updatedAt || (!isFound && isNewSince(known));
  const content = stored.find(({ deletedAt }) => deletedAt === null) ?? stored[0];
  const summary = summaryOf(stored.slice(0, depth + 1));
  const past: Past = {
    ...summary,
    held: isProved ? (stored[depth]?.payload ?? null) : null,
    heldDeleted: isFound ? stored[last]?.deletedAt !== null : null,
    seen: [],
    versions: [...stored.slice(0, (sent[0]?.depth ?? depth) + 1), ...sent.slice(0, 1)].map(
      ({ payload }) => payload,
    ),
    since: stored
      .slice(0, (sent[0]?.depth ?? -1) + 1)
      .flatMap(({ payload, deletedAt }) => (deletedAt === null ? [payload] : [])),
    isUnited: holder.restored !== null,
    content: content?.payload ?? {},
    wasLeft: (field, value) =>
      isAllLeft || (!isNamed && hadBefore(known, summary.fields.get(field), field, value)),
    wasLeftIn: isAllLeft ? () => true : isNamed ? () => false : hadIn(known),
  };
  return sent.reduceRight((made, one) => madeOn(made, one, one.depth), past);
};

/** Whether the record was made after a restore that the device has not noticed. */
const isNewSince = ({ stored, holder, edit }: Known): boolean =>
  !stored.some(({ isOldest, stamp }) => canMean(holder, isOldest ? edit.createdAt : stamp));

/** What a device holds that has sent a version made on what it held: of what it changed, only later changes are news. */
export const madeOn = (past: Past, { payload, deletedAt }: RecordState, depth = 0): Past => {
  const isDeleted = deletedAt !== null;
  const deletion =
    isDeleted === past.heldDeleted || (past.deletion ?? 0) < depth ? past.deletion : null;
  // A tombstone says nothing of the content.
  if (isDeleted) return { ...past, heldDeleted: true, deletion };
  const isNews = ([field, at]: readonly [string, number]): boolean =>
    at < depth || isLeft(past, field, payload[field]);
  return {
    ...past,
    held: payload,
    heldDeleted: false,
    seen: past.held ? [...past.seen, past.held] : past.seen,
    fields: new Map([...past.fields].filter(isNews)),
    deletion,
    wasLeft: () => false,
    wasLeftIn: () => false,
  };
};

/** Whether a device left a field as it was when it made an edit. An empty list is like an absent one. */
export const isLeft = ({ held, wasLeft }: Past, field: string, value: unknown): boolean =>
  (held !== null && sameJson(fieldValue({ value }, "value"), fieldValue(held, field))) ||
  wasLeft(field, value);

type Summary = Pick<Past, "changes" | "deletion" | "fields">;

/**
 * Sums up what was done since the last of these versions. The content of a deleted record does not count: a device may have
 * emptied it. So a deletion and the revival after it are one change of the content.
 */
const summaryOf = (versions: readonly Stored[]): Summary => {
  const fields = new Map<string, number>();
  const changes: ContentChange[] = [];
  let deletion: { readonly at: number; readonly isRest: boolean } | null = null;
  let after: Stored | null = null;
  versions.forEach((version, at) => {
    const newer = versions[at - 1];
    if (newer && (newer.deletedAt === null) !== (version.deletedAt === null))
      deletion ??= { at: at - 1, isRest: newer.isRest };
    if (version.deletedAt !== null) return;
    if (after) {
      changes.push({ before: version.payload, after: after.payload, isRest: after.isRest });
      const changed = after.isRest ? differingFields(version.payload, after.payload) : [];
      for (const field of changed) if (!fields.has(field)) fields.set(field, at - 1);
    }
    after = version;
  });
  const last = deletion as { readonly at: number; readonly isRest: boolean } | null;
  return { fields, changes, deletion: last?.isRest ? last.at : null };
};

/** Whether a field had a value before it was last changed over REST, `at` changes ago, and not since. */
const hadBefore = (
  { stored, sent }: Known,
  at: number | undefined,
  field: string,
  value: unknown,
): boolean => {
  if (at === undefined) return false;
  const wanted = fieldValue({ value }, "value");
  const has = ({ payload, deletedAt }: RecordState): boolean =>
    sameJson(fieldValue(payload, field), wanted) &&
    // A deleted record may have been emptied.
    (deletedAt === null || Object.keys(payload).length > 0);
  return (
    !stored.slice(0, at + 1).some(has) &&
    (stored.slice(at + 1).some(has) || sent.some((one) => one.depth > at && has(one)))
  );
};

/** Returns a test whether a list of the record has ever had this very item. */
const hadIn = ({ stored, sent }: Known): Past["wasLeftIn"] => {
  const texts = new Map<ChildList, ReadonlySet<string>>();
  const textsOf = (list: ChildList): ReadonlySet<string> => {
    const payloads = [...stored, ...sent].map(({ payload }) => payload);
    return new Set(itemsOf(payloads, list).map(canonical));
  };
  return (list, item) => {
    const known = texts.get(list) ?? textsOf(list);
    texts.set(list, known);
    return known.has(canonical(item));
  };
};

/** The items of a list in all of these versions. Versions of a history share those that did not change: each comes once. */
export const itemsOf = (payloads: readonly Payload[], list: ChildList): readonly unknown[] => [
  ...new Set(payloads.flatMap((payload) => listField(payload, list))),
];
