import { deserialise } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import type { RecordRow } from "../sync/row.ts";
import { applyDifference, type Difference } from "./difference.ts";
import type { VersionRow } from "./version.ts";

/**
 * One thing that happened to a record. For a version that was replaced: what the record was before (null: nothing)
 * and after it. For one that was refused: what was sent, and what the record was and stayed.
 */
export type Step = {
  readonly version: VersionRow;
  readonly refused: boolean;
  readonly before: RecordState | null;
  readonly after: RecordState | null;
};

/** Goes back in a record's history from what it is now: takes its versions, the newest first. */
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
