import { deserialise } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import type { RecordRow } from "../records/row.ts";
import { applyDifference, type Difference, type VersionRow } from "./version.ts";

/**
 * One change to a record. For a replaced version: the record before it (null if it did not exist) and after
 * it. For a refused version: what was sent, and what the record was and still is.
 */
export type Step = {
  readonly version: VersionRow;
  readonly refused: boolean;
  readonly before: RecordState | null;
  readonly after: RecordState | null;
};

/**
 * Returns a function that walks back through a record's history from its current state. Call it with each
 * version, newest first.
 */
export const backFrom = (row: RecordRow): ((version: VersionRow) => Step) => {
  let current: RecordState | null = {
    payload: deserialise(row.payload),
    deletedAt: row.deletedAt,
  };
  return (version) => {
    const step = stepBack(version, current);
    if (!step.refused) current = step.before;
    return step;
  };
};

const stepBack = (version: VersionRow, current: RecordState | null): Step => {
  const refused = version.digest !== null;
  if (version.difference === null || current === null)
    return { version, refused, before: null, after: current };
  const payload = applyDifference(current.payload, JSON.parse(version.difference) as Difference);
  return { version, refused, before: { payload, deletedAt: version.deletedAt }, after: current };
};
