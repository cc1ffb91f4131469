import type { CallRow } from "../../db/calls/activity-pages.ts";
import { isQuiet } from "./deeds.ts";

/** The fewest calls that share a row. */
const LEAST = 3;

/** Puts calls of one key that follow each other and only read or connected into one list each. Others stay alone. */
export const runsOf = (calls: readonly CallRow[]): readonly (readonly CallRow[])[] => {
  const runs: CallRow[][] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last && before && before.keyId === call.keyId && isQuiet(before) && isQuiet(call))
      last.push(call);
    else runs.push([call]);
  }
  return runs.flatMap((run) => (run.length < LEAST ? run.map((call) => [call]) : [run]));
};
