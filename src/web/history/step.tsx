import { isSame } from "../../domain/history/comparison.ts";
import { Differences } from "../ui/difference.tsx";
import { Said } from "../ui/sentence.tsx";
import { Time } from "../ui/time.tsx";
import { taskPath } from "./paths.ts";
import type { Told } from "./told.ts";

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
