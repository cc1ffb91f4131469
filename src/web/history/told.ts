import { compare, type Comparison } from "../../domain/history/comparison.ts";
import { readNames, readContainerNames } from "../../db/history/names.ts";
import type { RecordRow } from "../../domain/sync/row.ts";
import type { Step } from "../../domain/history/step.ts";
import { type HistoryEvent, type Sentence, tell } from "../../domain/history/event.ts";
import { deserialise, sameJson } from "../../domain/base/payload.ts";
import { withNames } from "../../domain/history/container-names.ts";
import type { SignedInContext } from "../shared/context.ts";

/** One thing that happened to a task, as its page tells it. */
export type Told = {
  /** The version that does not stand since, or never did. */
  readonly versionId: number;
  readonly event: HistoryEvent;
  readonly sentence: Sentence;
  /** What it changed; of a version that was refused, what it would have changed. */
  readonly comparison: Comparison;
  /** Whether that version can be put back, and would change something. */
  readonly isRestorable: boolean;
};

/** Steps of a task's history in words, with the names of keys, devices, folders and buckets in it. */
export const tellSteps = async (
  context: SignedInContext,
  row: RecordRow,
  steps: readonly Step[],
): Promise<readonly Told[]> => {
  const names = await readNames(context.store, row.accountId);
  const comparisons = await nameContainers(
    context,
    steps.map(({ refused, before, after }) =>
      refused ? compare(after, before) : compare(before, after),
    ),
  );
  const standing = deserialise(row.payload);
  return comparisons.flatMap((comparison, at) => {
    const step = steps[at];
    if (!step) return [];
    const event = { ...step.version, refused: step.refused };
    const isBack = row.deletedAt === null && sameJson(step.before?.payload, standing);
    return {
      versionId: step.version.id,
      event,
      sentence: tell(event, names),
      comparison,
      isRestorable: step.before?.deletedAt === null && !isBack,
    };
  });
};

/** What putting the version back would change now; null where there is nothing to put back. */
export const compareNow = async (
  context: SignedInContext,
  { payload, deletedAt }: RecordRow,
  { before }: Step,
): Promise<Comparison | null> => {
  if (before?.deletedAt !== null) return null;
  const standing = { payload: deserialise(payload), deletedAt };
  const [comparison] = await nameContainers(context, [compare(standing, before)]);
  return comparison ?? null;
};

/** People know folders and buckets by their names. */
const nameContainers = async (
  { store, who }: SignedInContext,
  comparisons: readonly Comparison[],
): Promise<readonly Comparison[]> => {
  const moves = comparisons.flatMap(({ fields }) => fields);
  const places = await readContainerNames(store, who.account.id, moves);
  return comparisons.map((one) => ({
    ...one,
    fields: one.fields.map((field) => withNames(field, places)),
  }));
};
