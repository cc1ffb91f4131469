import type { TabView, TaskView } from "../../client/views.ts";
import { copyAndSay } from "../acts/copy.ts";
import { addGroup, dropTabs, leaveGroup, nameOf, placeTabs, openAsNewTask } from "../acts/tabs.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { show } from "../state/overlay.ts";

/** What can be done with one tab. */
export const tabMenu = (task: TaskView, tab: TabView, rename: () => void): readonly MenuItem[] => {
  const { id, tabs } = task;
  const name = nameOf(tab);
  const at = tabs.indexOf(tab);
  const group = task.groups.find((one) => one.id === tab.group);
  return [
    { name: "Rename", icon: "pencil", run: rename },
    {
      name: "Move to another task",
      icon: "arrow-right",
      key: "m",
      run: () => show({ kind: "move-tabs", from: id, tabs: [name] }),
    },
    {
      name: "Turn into a task",
      icon: "plus",
      run: () => void openAsNewTask(id, [name]),
    },
    ...(at > 0
      ? ([
          {
            name: "Move up",
            icon: "arrow-up",
            key: "Alt ↑",
            run: () => void placeTabs(task, [name], at - 1),
          },
        ] as const)
      : []),
    ...(at < tabs.length - 1
      ? ([
          {
            name: "Move down",
            icon: "arrow-down",
            key: "Alt ↓",
            run: () => void placeTabs(task, [name], at + 1),
          },
        ] as const)
      : []),
    group
      ? {
          name: "Take out of the group",
          icon: "layers",
          run: () => void leaveGroup(id, tab),
        }
      : { name: "New group", icon: "layers", run: () => void addGroup(id, [name]) },
    { name: "Copy address", icon: "copy", run: () => void copyAndSay(tab.url, "Address copied") },
    { name: "Remove", icon: "x", key: "#", danger: true, run: () => void dropTabs(id, [name]) },
  ];
};
