import type { GroupView, TabView, TaskView } from "../../client/views.ts";
import { shownName } from "../../domain/base/text.ts";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { changeGroup, copyTabs, dropGroup, openAll, renameGroup } from "../acts/tabs.ts";
import { ColourMenu } from "../parts/colour-menu.tsx";
import { Editable } from "../parts/editable.tsx";
import { Icon } from "../parts/marks.tsx";
import { Menu } from "../parts/menu.tsx";
import { inColour } from "../words/names.ts";

type GroupHeadProps = {
  readonly task: TaskView;
  readonly group: GroupView;
  /** The tabs below it, up to the next group. */
  readonly tabs: readonly TabView[];
};

/** The head of a tab group: its name and colour as the browser had them, and what can be done with all of it. */
export const GroupHead = ({ task, group, tabs }: GroupHeadProps) => (
  <li {...inColour(group.colour, "tab-group")}>
    <ColourMenu
      colour={group.colour}
      onPick={(colour) => void changeGroup(task.id, group.id, { colour })}
    />
    <Editable
      class="group-name"
      place={`group ${task.id} ${group.id}`}
      label="Name of the group"
      value={group.title}
      placeholder="Unnamed group"
      max={MAX_NAME}
      save={(typed) => renameGroup(task.id, group.id, typed)}
    />
    <span class="number">{tabs.length}</span>
    <Menu
      label={`More for the group ${shownName(group.title, "without a name")}`}
      class="right"
      button={<Icon name="ellipsis" />}
      items={[
        { name: "Open the group", icon: "external-link", run: () => openAll(task.id, tabs) },
        { name: "Copy as Markdown", icon: "copy", run: () => void copyTabs(tabs, "markdown") },
        { name: "Ungroup", icon: "x", run: () => void dropGroup(task.id, group.id) },
      ]}
    />
  </li>
);

/** A stretch of a task's tabs that are in the same group, or in none. */
export type Run = { readonly group: GroupView | null; readonly tabs: readonly TabView[] };

/** Returns the tabs in their order, cut where another group starts. A group that the task does not list is none. */
export const runsOf = ({ tabs, groups }: TaskView): readonly Run[] => {
  const runs: { readonly group: GroupView | null; readonly tabs: TabView[] }[] = [];
  for (const tab of tabs) {
    const group = groups.find(({ id }) => id === tab.group) ?? null;
    const last = runs.at(-1);
    if (last?.group === group) last.tabs.push(tab);
    else runs.push({ group, tabs: [tab] });
  }
  return runs;
};
