import { compare, type Comparison } from "../../domain/history/comparison.ts";
import { readNames, readContainerNames } from "../../db/history/names.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import type { Step } from "../../domain/history/step.ts";
import { type HistoryEvent, type Sentence, tell } from "../../domain/history/event.ts";
import { deserialise, sameJson } from "../../domain/base/payload.ts";
import { breathe } from "../../domain/base/breathe.ts";
import { withNames } from "../../domain/history/container-names.ts";
import type { SignedInContext } from "../shared/page.ts";

/** One event in the history of a task, as its page shows it. */
export type Told = {
  /** The version that was replaced, or was never applied. */
  readonly versionId: number;
  readonly event: HistoryEvent;
  readonly sentence: Sentence;
  /** What it changed; for a refused version, what it would have changed. */
  readonly comparison: Comparison;
  /** Whether that version can be restored, and doing so would change something. */
  readonly isRestorable: boolean;
};

/** Puts a task's history into words, with the names of keys, devices, folders and buckets. */
export const tellSteps = async (
  context: SignedInContext,
  row: RecordRow,
  steps: readonly Step[],
): Promise<readonly Told[]> => {
  const names = await readNames(context.store, row.accountId);
  const standing = deserialise(row.payload);
  const told: Told[] = [];
  for (const { version, refused, before, after } of steps) {
    // Each step may have a payload of 1 MiB before it and after it.
    await breathe();
    const event = { ...version, refused };
    const isBack = row.deletedAt === null && sameJson(before?.payload, standing);
    told.push({
      versionId: version.id,
      event,
      sentence: tell(event, names),
      comparison: refused ? compare(after, before) : compare(before, after),
      isRestorable: before?.deletedAt === null && !isBack,
    });
  }
  const named = await nameContainers(
    context,
    told.map(({ comparison }) => comparison),
  );
  return told.map((one, at) => ({ ...one, comparison: named[at] ?? one.comparison }));
};

/** What restoring the version would change now; null if there is nothing to restore. */
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

/** Replaces the ids of folders and buckets with their names, which is how people know them. */
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
