import { compare, type Comparison } from "../../comparison.ts";
import { readNames, readPlaceNames } from "../../db/names.ts";
import type { RecordRow } from "../../db/records.ts";
import type { Step } from "../../db/versions.ts";
import { type Happening, type Sentence, tell } from "../../happening.ts";
import { deserialise, sameJson } from "../../payload.ts";
import { withNames } from "../../place.ts";
import type { SignedInAsk } from "../ask.ts";

/** One event in the history of a task, as its page shows it. */
export type Told = {
  /** The version that was replaced, or was never applied. */
  readonly versionId: number;
  readonly happening: Happening;
  readonly sentence: Sentence;
  /** What it changed; for a refused version, what it would have changed. */
  readonly comparison: Comparison;
  /** Whether that version can be restored, and doing so would change something. */
  readonly isRestorable: boolean;
};

/** Puts a task's history into words, with the names of keys, devices, folders and buckets. */
export const tellSteps = async (
  ask: SignedInAsk,
  row: RecordRow,
  steps: readonly Step[],
): Promise<readonly Told[]> => {
  const names = await readNames(ask.store, row.accountId);
  const comparisons = await namePlaces(
    ask,
    steps.map(({ refused, before, after }) =>
      refused ? compare(after, before) : compare(before, after),
    ),
  );
  const standing = deserialise(row.payload);
  return comparisons.flatMap((comparison, at) => {
    const step = steps[at];
    if (!step) return [];
    const happening = { ...step.version, refused: step.refused };
    const isBack = row.deletedAt === null && sameJson(step.before?.payload, standing);
    return {
      versionId: step.version.id,
      happening,
      sentence: tell(happening, names),
      comparison,
      isRestorable: step.before?.deletedAt === null && !isBack,
    };
  });
};

/** What restoring the version would change now; null if there is nothing to restore. */
export const compareNow = async (
  ask: SignedInAsk,
  { payload, deletedAt }: RecordRow,
  { before }: Step,
): Promise<Comparison | null> => {
  if (before?.deletedAt !== null) return null;
  const standing = { payload: deserialise(payload), deletedAt };
  const [comparison] = await namePlaces(ask, [compare(standing, before)]);
  return comparison ?? null;
};

/** Replaces the ids of folders and buckets with their names, which is how people know them. */
const namePlaces = async (
  { store, who }: SignedInAsk,
  comparisons: readonly Comparison[],
): Promise<readonly Comparison[]> => {
  const moves = comparisons.flatMap(({ fields }) => fields);
  const places = await readPlaceNames(store, who.account.id, moves);
  return comparisons.map((one) => ({
    ...one,
    fields: one.fields.map((field) => withNames(field, places)),
  }));
};
