import { andThen, type MaybePromise, repeat } from "../../domain/base/maybe-promise.ts";
import { backFrom, type Step } from "../../domain/history/step.ts";
import { inSlice, startSlices } from "../../domain/base/slices.ts";
import type { VersionRow } from "../../domain/history/version.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import type { History } from "../transaction.ts";

/**
 * Walks back through a record's stored history, newest first, until `visit` returns that it has seen enough.
 * Reads versions in small batches, and a long history in slices.
 */
export const walkBack = (
  history: Pick<History, "before">,
  row: RecordRow,
  visit: (step: Step) => MaybePromise<boolean>,
): MaybePromise<void> => {
  const back = backFrom(row);
  const slices = startSlices();
  let read: readonly VersionRow[] = [];
  let at = 0;
  let last = Number.MAX_SAFE_INTEGER;
  return repeat(() => {
    const version = read[at];
    at += 1;
    if (version) {
      const visited = inSlice(slices, () => visit(back(version)));
      return andThen(visited, (enough) => !enough);
    }
    return andThen(history.before(row, last), (versions) => {
      read = versions;
      at = 0;
      last = versions.at(-1)?.id ?? last;
      return versions.length > 0;
    });
  });
};

/** The newest step for which the predicate holds. */
export const findStep = (
  history: Pick<History, "before">,
  row: RecordRow,
  isIt: (step: Step) => boolean,
): MaybePromise<Step | null> => {
  let found: Step | null = null;
  const walked = walkBack(history, row, (step) => {
    if (isIt(step)) found = step;
    return found !== null;
  });
  return andThen(walked, () => found);
};
