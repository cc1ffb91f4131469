import type { Payload } from "../domain/base/payload.ts";
import { KINDS } from "../domain/base/record.ts";
import { childrenIn } from "./children.ts";
import type { Desk, Edit } from "./edit.ts";
import { withGroupsOf } from "../domain/tasks/groups.ts";
import { nameOf, threeWay } from "../domain/sync/three-way.ts";
import { NotPossible } from "./state.ts";
import type { Touched } from "./store/save-step.ts";

/**
 * Returns the edit that takes a step back. What others changed since in the same records stays: so a record that they
 * deleted is left out, and one that the step made stays if something was added to it. Refuses if nothing is left to take
 * back, or if the step took tabs or notes out of a record that was deleted since.
 */
export const undoOf =
  (touched: readonly Touched[]): Edit =>
  async (desk) => {
    const deleted: Touched[] = [];
    for (const one of touched) if (!(await takeBack(desk, one))) deleted.push(one);
    const [first] = deleted;
    if (first && (deleted.length === touched.length || deleted.some(gaveAway)))
      throw new NotPossible(
        `The ${KINDS[first.table]} has since been deleted, so this cannot be undone.`,
      );
  };

/** Takes back what a step did to one record. Returns false if somebody deleted that since. */
const takeBack = async (desk: Desk, { table, id, before, after }: Touched): Promise<boolean> => {
  const found = await desk.find(table, id);
  if (found === null) return true;
  const { payload: now, isDeleted } = found;
  const wasLive = before !== null && before.deletedAt === null;
  if (wasLive && isDeleted && after.deletedAt === null) return false;
  const payload = takenBack(before?.payload ?? {}, after.payload, now);
  // A tombstone that was emptied. If somebody has revived the record since, nothing is left to do.
  if (before !== null && before.deletedAt !== null && after.deletedAt !== null) {
    if (isDeleted) await desk.remove(table, id, payload);
    return true;
  }
  if (wasLive) await desk.write(table, id, payload);
  else if (!isDeleted && holdsMore(now, after.payload))
    await desk.write(table, id, withListsOf(now, payload));
  else await desk.remove(table, id);
  return true;
};

const gaveAway = ({ before, after }: Touched): boolean =>
  before !== null && holdsMore(before.payload, after.payload);

/** Whether a task has a tab or note that another version of it lacks. */
const holdsMore = (payload: Payload, than: Payload): boolean =>
  (["pages", "notes"] as const).some((list) => {
    const known = new Set(childrenIn(than, list).map(nameOf));
    return childrenIn(payload, list).some((item) => !known.has(nameOf(item)));
  });

/** Returns a task with the tabs and notes of another version, and with the groups that these are in. */
const withListsOf = (now: Payload, from: Payload): Payload => {
  const pages = childrenIn(from, "pages");
  const { groups: _groups, ...rest } = now;
  const left = { ...rest, pages, notes: childrenIn(from, "notes") };
  // Without groups of its own, it gets those of now under the ids that they have.
  return withGroupsOf(left, now, pages, () => "").task;
};

/**
 * Returns `now` with the change from `before` to `after` taken back: field by field, and in lists item by item. A
 * field or item that somebody changed since stays as it is now.
 */
export const takenBack = (before: Payload, after: Payload, now: Payload): Payload =>
  threeWay(after, before, now, { wins: () => false, keepsChanged: false });
