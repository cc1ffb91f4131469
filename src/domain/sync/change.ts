import { formatInstant, type Instant, parseInstant } from "../base/instant.ts";
import {
  countValues,
  fits,
  type Flaw,
  flawOf,
  isObject,
  MAX_DEPTH,
  MOST_VALUES,
  type Payload,
  serialise,
} from "../base/payload.ts";
import { isTable, type Table, TABLES } from "../base/record.ts";
import { parseRev, type Rev } from "../base/rev.ts";
import { isRecordId } from "../base/text.ts";

/** Change records in one push (specification, section 8). */
export const MAX_CHANGES = 500;

/** One well-formed record of a push. */
export type Change = {
  readonly table: Table;
  readonly id: string;
  /** The client's stamp in ms, and its own text, which is returned unchanged. */
  readonly updated: Instant;
  readonly updatedAt: string;
  /** Set on a tombstone: a deleted record. */
  readonly deletedAt: string | null;
  readonly payload: Payload;
  readonly payloadText: string;
  /** The `updated_at` of the version on which the edit was made, if the device says it. */
  readonly base: string | null;
  /**
   * The `updated` of the newest version that the device knows, if it says so; lower than any if it knows of none. Nothing
   * is taken from it if a later one is stored. Null if it does not say.
   */
  readonly expected: Instant | null;
  /** The revision of the version on which the edit was made, and of the newest that the device knows, if it says so. */
  readonly baseRev: Rev | null;
  readonly expectedRev: Rev | null;
  /** When the person changed single fields, where the device says so. */
  readonly changedAt: ReadonlyMap<string, Instant>;
};

/** What a device that knows of no version of a record expects. */
const EXPECTS_NONE: Instant = Number.NEGATIVE_INFINITY;

/** Why one record of a push is invalid. The other records are still applied. */
export type InvalidChange = {
  readonly table: string | null;
  readonly id: string | null;
  readonly error: string;
};

type Indexed<One> = One & { readonly index: number };

/** A push: the records of it that can be taken, in their order, and why the others cannot. */
export type ParsedChanges = {
  readonly changes: readonly Change[];
  readonly invalid: readonly Indexed<InvalidChange>[];
  /** Those of the changes that have too many values. They are taken if the stored record has no fewer. */
  readonly large: readonly Indexed<{ readonly change: Change; readonly values: number }>[];
};

/** Reads the records of a push, each for itself. */
export const parseChanges = (values: readonly unknown[]): ParsedChanges =>
  gatherChanges(values.map(parseChange));

/** Returns a push from its records, each read for itself. */
export const gatherChanges = (parsed: readonly (Change | InvalidChange)[]): ParsedChanges => ({
  changes: parsed.filter((change): change is Change => !isInvalid(change)),
  invalid: parsed.flatMap((change, index) => (isInvalid(change) ? [{ index, ...change }] : [])),
  large: parsed.flatMap((change, index) => {
    if (isInvalid(change)) return [];
    const values = countValues(change.payload, change.payloadText);
    return values > MOST_VALUES ? [{ index, change, values }] : [];
  }),
});

/** Returns a push without its changes that have more values than a record may have and than the stored one has. */
export const withoutTooLarge = (
  { changes, invalid, large }: ParsedChanges,
  storedValues: (change: Change) => number,
): Pick<ParsedChanges, "changes" | "invalid"> => {
  const refused = large.filter(({ change, values }) => values > storedValues(change));
  if (refused.length === 0) return { changes, invalid };
  const gone = new Set(refused.map(({ change }) => change));
  const added = refused.map(({ index, change: { table, id }, values }) => ({
    index,
    table,
    id,
    error: `payload must have at most ${MOST_VALUES} values, but has ${values}. A stored one that has more may only become smaller.`,
  }));
  return {
    changes: changes.filter((change) => !gone.has(change)),
    invalid: [...invalid, ...added].toSorted((one, other) => one.index - other.index),
  };
};

/** Reads one record of a push. Ignores unknown fields beside the known ones. */
export const parseChange = (value: unknown): Change | InvalidChange => {
  const record = isObject(value) ? value : {};
  const { table, id, updated_at: updatedAt } = record;
  const refuse = (error: string): InvalidChange => ({
    table: typeof table === "string" ? table : null,
    id: typeof id === "string" ? id.toWellFormed() : null,
    error,
  });
  if (!isObject(value)) return refuse("A change record must be an object.");
  if (!isTable(table)) return refuse(`table must be one of ${TABLES.join(", ")}.`);
  if (!isRecordId(id))
    return refuse(
      'id must be 1 to 255 characters long, without control characters. It must not be "." or "..".',
    );
  const updated = typeof updatedAt === "string" ? parseInstant(updatedAt) : null;
  if (updated === null || typeof updatedAt !== "string")
    return refuse("updated_at must be a valid RFC 3339 time, such as 2026-01-31T09:30:00.000Z.");
  const deleted = tombstone(record);
  if (deleted === undefined) return refuse("deleted_at must be a valid RFC 3339 time or null.");
  const expected = expectedIn(record["expected_updated_at"]);
  if (expected === undefined)
    return refuse("expected_updated_at must be a valid RFC 3339 time or null.");
  const [baseRev, expectedRev] = [revIn(record["base_rev"]), revIn(record["expected_rev"])];
  if (baseRev === undefined || expectedRev === undefined)
    return refuse("base_rev and expected_rev must be a rev that the server gave you, or null.");
  const changedAt = timesIn(record["changed_at"]);
  if (changedAt === null)
    return refuse(`changed_at must be an object of at most ${MAX_TIMES} valid RFC 3339 times.`);
  const payload = record["payload"] ?? (deleted === null ? null : {});
  if (!isObject(payload)) return refuse("payload must be an object.");
  const payloadText = serialise(payload);
  if (!fits(payloadText)) return refuse("payload must be at most 1 MiB of JSON.");
  const problem = payloadProblem(payload);
  if (problem !== null) return refuse(problem);
  const base = typeof record["base_updated_at"] === "string" ? record["base_updated_at"] : null;
  return {
    table,
    id,
    updated,
    updatedAt,
    deletedAt: deleted,
    payload,
    payloadText,
    base,
    // A device that expects no version says it in either way.
    expected: record["expected_rev"] === null ? EXPECTS_NONE : expected,
    baseRev,
    expectedRev,
    changedAt,
  };
};

/** Null if it is left out or null, undefined if it is no revision. */
const revIn = (value: unknown): Rev | null | undefined => {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? (parseRev(value) ?? undefined) : undefined;
};

/** Undefined if it is neither a time nor null. A field that is left out says nothing. */
const expectedIn = (value: unknown): Instant | null | undefined => {
  if (value === undefined) return null;
  if (value === null) return EXPECTS_NONE;
  return typeof value === "string" ? (parseInstant(value) ?? undefined) : undefined;
};

/** Fields of which one change says when they were changed. */
const MAX_TIMES = 100;

const NO_TIMES: ReadonlyMap<string, Instant> = new Map();

/** Null if it is not an object of times, or one of too many. */
const timesIn = (value: unknown): ReadonlyMap<string, Instant> | null => {
  if (value === undefined) return NO_TIMES;
  if (!isObject(value) || Object.keys(value).length > MAX_TIMES) return null;
  const times = new Map<string, Instant>();
  for (const [field, text] of Object.entries(value)) {
    const instant = typeof text === "string" ? parseInstant(text) : null;
    if (instant === null) return null;
    times.set(field, instant);
  }
  return times;
};

export const isInvalid = (change: Change | InvalidChange): change is InvalidChange =>
  "error" in change;

/**
 * When the record was deleted, in canonical ISO form; null if it is live, undefined if that is unclear.
 * `deleted_at` beside the payload decides; the one inside counts only if that is absent and it is a time.
 */
const tombstone = (record: Payload): string | null | undefined => {
  const beside = record["deleted_at"];
  if (beside === null) return null;
  const within = isObject(record["payload"]) ? record["payload"]["deleted_at"] : undefined;
  const text = beside ?? within;
  const instant = typeof text === "string" ? parseInstant(text) : null;
  if (instant !== null) return formatInstant(instant);
  return beside === undefined ? null : undefined;
};

const payloadProblem = (payload: Payload): string | null => {
  const flaw = flawOf(payload, MAX_DEPTH);
  return flaw && PROBLEMS[flaw];
};

const PROBLEMS: Readonly<Record<Flaw, string>> = {
  infinite: "payload contains a number that is too large to store exactly.",
  "too deep": `payload must not be nested more than ${MAX_DEPTH} levels deep.`,
};
