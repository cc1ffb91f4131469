import { type Instant, parseInstant } from "../domain/base/instant.ts";
import { isObject, listField, type Payload, textField } from "../domain/base/payload.ts";
import type { ActorKind } from "../domain/people/account.ts";
import type { Difference } from "../domain/history/version.ts";
import type { Loss, Via } from "../domain/records/row.ts";

/** An earlier version of a record, as Docket's own export has it. Who wrote it is known by kind alone. */
export type PastRecord = {
  readonly at: Instant;
  readonly loss: Loss;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly writerKind: ActorKind | null;
  readonly byKind: ActorKind | null;
  /** JSON of a `Difference`; null if there was no record before. */
  readonly difference: string | null;
  readonly digest: string | null;
  readonly base: string | null;
  readonly via: Via | null;
};

/** More versions of a record than these are not taken over. */
const MOST = 2_000;

/** The history of a record in an export, the oldest first. A version that nobody could have written ends it there. */
export const historyIn = (value: Payload): readonly PastRecord[] => {
  const versions = listField(value, "history").slice(-MOST).map(versionIn);
  // Each is stored as its difference from the one after it: without that, the older ones mean nothing.
  const last = versions.findLastIndex((one) => one === null);
  return versions.slice(last + 1).filter((one) => one !== null);
};

const versionIn = (value: unknown): PastRecord | null => {
  if (!isObject(value)) return null;
  const at = instantIn(value, "at");
  const updatedAt = textField(value, "updated_at");
  const loss = LOSSES.find((one) => one === value["loss"]);
  const difference = value["difference"] ?? null;
  if (at === null || loss === undefined || updatedAt === null || parseInstant(updatedAt) === null)
    return null;
  if (difference !== null && !isDifference(difference)) return null;
  const deletedAt = textField(value, "deleted_at");
  if (deletedAt !== null && parseInstant(deletedAt) === null) return null;
  return {
    at,
    loss,
    updatedAt,
    deletedAt,
    writerKind: kindIn(value["writer"]),
    byKind: kindIn(value["by"]),
    difference: difference === null ? null : JSON.stringify(difference),
    digest: shortIn(value, "digest"),
    base: shortIn(value, "base"),
    via: value["via"] === "rest" || value["via"] === "sync" ? value["via"] : null,
  };
};

const LOSSES: readonly Loss[] = [
  "clamped",
  "deleted",
  "edited",
  "made",
  "merged",
  "restored",
  "stale",
  "undone",
];

const KINDS: readonly ActorKind[] = ["api_key", "person", "session"];

const kindIn = (value: unknown): ActorKind | null => KINDS.find((kind) => kind === value) ?? null;

const instantIn = (value: Payload, field: string): Instant | null =>
  parseInstant(textField(value, field) ?? "");

/** The longest of our own is 30 characters. */
const shortIn = (value: Payload, field: string): string | null => {
  const text = textField(value, field);
  return text !== null && text.length <= 64 ? text : null;
};

/** Items that one difference may put into a list. */
const MOST_ITEMS = 50_000;

const isDifference = (value: unknown): value is Difference => {
  if (!isObject(value)) return false;
  const { set = {}, unset = [], splice = {} } = value;
  return (
    isObject(set) &&
    Array.isArray(unset) &&
    unset.every((field) => typeof field === "string") &&
    isObject(splice) &&
    Object.values(splice).every(isSplice)
  );
};

const isSplice = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { at, remove, items } = value;
  return isCount(at) && isCount(remove) && Array.isArray(items) && items.length <= MOST_ITEMS;
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
