import type { Client } from "../../client/client.ts";
import { setTab } from "../../client/edits.ts";
import { putGroup } from "../../client/groups.ts";
import type { GroupView } from "../../client/views.ts";
import { browser } from "../browser/api.ts";
import { patiently } from "../browser/kept.ts";
import { wakeToPush } from "../core/wake.ts";
import { groupColour, putInGroup } from "../reopen/group.ts";
import type { Bound, BoundGroup, Followed } from "./bound.ts";
import { type GroupPlan, planGroups } from "./group-plan.ts";

type Stepped = { readonly bound: Bound; readonly hasEdited: boolean };

/**
 * Brings the tab groups of a window and the groups of its task in step. Does nothing where the browser has no groups.
 * Rejects with `NotPossible` if the task has no room for them.
 */
export const stepGroups = async (client: Client, bound: Bound): Promise<Stepped> => {
  const { windowId, taskId } = bound;
  const task = client.state().tasks.get(taskId);
  const { tabs, tabGroups } = browser;
  if (!task || !tabGroups || !tabs.group) return { bound, hasEdited: false };
  const strip = await Promise.all([tabs.query({ windowId }), tabGroups.query({ windowId })])
    .then(([open, groups]) => ({ tabs: open, groups }))
    .catch(() => null);
  // What the browser does not tell, such as of a window that is being closed, is not the same as nothing.
  if (strip === null) return { bound, hasEdited: false };
  const plan = planGroups(bound, strip, task, () => crypto.randomUUID());
  const hasEdited = plan.set.length + plan.assign.length > 0;
  if (hasEdited) await edit(client, taskId, plan);
  const unlabelled = await labelGroups(plan.label);
  const { unmoved, made } = await moveTabs(plan);
  // What the browser did not do is still to be done at the next step.
  const before = (one: Followed): Followed =>
    unmoved.has(one.tabId) ? (bound.followed.find(({ tabId }) => tabId === one.tabId) ?? one) : one;
  return {
    bound: {
      ...bound,
      followed: plan.followed.map(before),
      groups: [
        ...plan.groups.flatMap((one) =>
          unlabelled.has(one.groupId) ? bound.groups.filter(({ id }) => id === one.id) : one,
        ),
        ...made,
      ],
    },
    hasEdited,
  };
};

const edit = async (client: Client, taskId: string, { set, assign }: GroupPlan): Promise<void> => {
  await wakeToPush();
  await client.edit("Tab groups of the window saved", [
    ...set.map((group) => putGroup(taskId, { ...group, collapsed: group.collapsed || null })),
    ...assign.map(({ entry, group }) => setTab(taskId, entry, { group })),
  ]);
};

/** Returns the groups that the browser did not change. */
const labelGroups = async (groups: readonly BoundGroup[]): Promise<ReadonlySet<number>> => {
  const failed = new Set<number>();
  for (const { groupId, title, colour, collapsed } of groups) {
    const look = { title, color: colour, collapsed };
    const label = async () => browser.tabGroups?.update(groupId, look);
    await patiently(label).catch(() => failed.add(groupId));
  }
  return failed;
};

type Moved = {
  /** The open tabs that the browser did not move. */
  readonly unmoved: ReadonlySet<number>;
  /** The groups that were made for some. A name that a person gives one of them before the next step is theirs. */
  readonly made: readonly BoundGroup[];
};

const moveTabs = async ({ move, groups }: GroupPlan): Promise<Moved> => {
  const unmoved = new Set<number>();
  const made: BoundGroup[] = [];
  for (const [group, moves] of Map.groupBy(move, (one) => one.group)) {
    const tabIds = moves.map(({ tabId }) => tabId);
    const groupId = groups.find(({ id }) => id === group?.id)?.groupId;
    const { group: putTogether, ungroup } = browser.tabs;
    try {
      if (group === null) await patiently(async () => ungroup?.(tabIds));
      else if (groupId === undefined) made.push(...(await makeGroup(tabIds, group)));
      else await patiently(async () => putTogether?.({ tabIds, groupId }));
    } catch {
      for (const tabId of tabIds) unmoved.add(tabId);
    }
  }
  return { unmoved, made };
};

/** Returns the new group as it looked when it was made. For a colour that no browser has, the browser chose one. */
const makeGroup = async (
  tabIds: readonly number[],
  group: GroupView,
): Promise<readonly BoundGroup[]> => {
  const groupId = await putInGroup(tabIds, group);
  if (groupId === null) return [];
  const { id, title, colour, collapsed } = group;
  const chosen = groupColour(colour) ?? (await browser.tabGroups?.get(groupId))?.color;
  return chosen === undefined ? [] : [{ groupId, id, title, colour: chosen, collapsed }];
};
