import { breathe } from "../../domain/base/breathe.ts";
import { backFrom, type Step } from "../../domain/history/step.ts";
import type { VersionRow } from "../../domain/history/version.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import type { History } from "../transaction.ts";

/**
 * Walks back through a record's stored history, newest first, until `visit` returns that it has seen enough.
 * Reads versions in small batches.
 */
export const walkBack = async (
  history: Pick<History, "before">,
  row: RecordRow,
  visit: (step: Step) => Promise<boolean> | boolean,
): Promise<void> => {
  const back = backFrom(row);
  let last = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const versions: readonly VersionRow[] = await history.before(row, last);
    for (const version of versions) {
      await breathe();
      if (await visit(back(version))) return;
      last = version.id;
    }
    if (versions.length === 0) return;
  }
};

/** The newest step for which the predicate holds. */
export const findStep = async (
  history: Pick<History, "before">,
  row: RecordRow,
  isIt: (step: Step) => boolean,
): Promise<Step | null> => {
  let found: Step | null = null;
  await walkBack(history, row, (step) => {
    if (isIt(step)) found = step;
    return found !== null;
  });
  return found;
};
