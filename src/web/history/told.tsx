import { compare, type Comparison, isSame, withNames } from "../../domain/history/comparison.ts";
import { readContainerNames, readNames } from "../../db/history/walk.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { type HistoryEvent, type Sentence, type Step, tell } from "../../domain/history/event.ts";
import { deserialise, sameJson } from "../../domain/base/payload.ts";
import { breathe } from "../../domain/base/breathe.ts";
import type { SignedInContext } from "../shared/page.ts";
import { Differences } from "../ui/difference.tsx";
import { Said, Time } from "../ui/parts.tsx";

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

type StepProps = { readonly of: Told; readonly taskId: string };

/** One event: who did what and when, how it changed the task, and how to restore what was there before. */
export const StepCard = ({ of, taskId }: StepProps) => {
  const { versionId, event, sentence, comparison, isRestorable } = of;
  // Applied in full, only not with its own time. The list shows what it changed as an edit of its own.
  const isTaken = event.loss === "clamped" && isSame(comparison);
  return (
    <article class="card">
      <h2 id={`version-${versionId}`}>
        <Said of={sentence} />
      </h2>
      <p class="quiet-text">
        <Time at={event.at} />
        {event.loss === "stale" && ". It would have changed:"}
      </p>
      {isTaken ? (
        <p>Docket applied it with the time at which it arrived.</p>
      ) : (
        <Differences of={comparison} />
      )}
      {isRestorable && !isTaken && (
        <a
          class="button"
          href={`${taskPath(taskId, "/restore")}?version=${versionId}`}
          aria-describedby={`version-${versionId}`}
        >
          {event.refused ? "Restore this version" : "Restore the version before this"}
        </a>
      )}
    </article>
  );
};

/** The address of a task in the app, where it is read and changed. */
export const appTaskPath = (id: string): string => `/tasks/open?task=${encodeURIComponent(id)}`;

/** The address in the account area of a task, of its history, or of restoring one of its versions. */
export const taskPath = (id: string, what: "" | "/history" | "/restore" = ""): string =>
  `/account/tasks/${encodeURIComponent(id)}${what}`;
