import type { ChildName } from "../../client/children.ts";
import { type GroupFields, groupTabs, setGroup, ungroup } from "../../client/groups.ts";
import { client, tasks } from "../state/client.ts";
import { COLOURS } from "../words/colours.ts";
import { act } from "./act.ts";
import { actTyped } from "./tasks.ts";

/** Puts tabs of a task into a new group, in a colour that the task does not use yet. Returns its id. */
export const addGroup = async (
  task: string,
  names: readonly ChildName[],
): Promise<string | null> => {
  const used = tasks.value.get(task)?.groups.map(({ colour }) => colour) ?? [];
  const colour = COLOURS.find((one) => !used.includes(one)) ?? "grey";
  const id = client().newId();
  const group = { id, title: "", colour };
  return (await act("Group added", [groupTabs(task, names, group)], { notice: true })) ? id : null;
};

export const changeGroup = (task: string, group: string, fields: GroupFields): Promise<boolean> =>
  actTyped(task, "Group changed", setGroup(task, group, fields));

/** The tabs stay. */
export const dropGroup = (task: string, group: string): Promise<boolean> =>
  act("Tabs ungrouped", [ungroup(task, group)], { notice: true });
