import type { TaskView } from "../../client/views.ts";
import { copyAndSay, copyTasks } from "../acts/copy.ts";
import { showHistory } from "../acts/history.ts";
import { nudge } from "../acts/order.ts";
import { copyTabs, openAll } from "../acts/tabs.ts";
import { change, deleteTasks, restoreTasks } from "../acts/tasks.ts";
import { canArrange, isThrownAway, shownTasks } from "../state/lists.ts";
import { ColourMenu } from "../parts/colour-menu.tsx";
import { Icon } from "../parts/marks.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { show } from "../state/overlay.ts";
import { closeTask, pathTo } from "../state/route.ts";
import { shell } from "../state/screen.ts";
import { exportPath } from "../views/places.ts";

/** What can be done with the open task as a whole. */
export const TaskMenu = ({ task }: { readonly task: TaskView }) => (
  <>
    <ColourMenu
      colour={task.colour}
      onPick={(colour) => void change([task.id], { colour }, "Colour changed")}
    />
    <Menu
      label="More for this task"
      class="right"
      button={<Icon name="ellipsis" size={18} />}
      items={itemsFor(task)}
    />
  </>
);

const itemsFor = (task: TaskView): readonly MenuItem[] =>
  isThrownAway(task) ? thrownAwayItems(task) : keptItems(task);

/** In the trash, a task can be looked at, taken out and got rid of. */
const thrownAwayItems = (task: TaskView): readonly MenuItem[] => [
  ...copyItems(task),
  ...serverItems(task.id),
  { name: "Restore", icon: "undo-2", run: () => void restoreTasks([task.id]) },
  {
    name: "Delete for good",
    icon: "trash",
    danger: true,
    run: () => show({ kind: "for-good", ids: [task.id] }),
  },
];

const keptItems = (task: TaskView): readonly MenuItem[] => [
  ...copyItems(task),
  ...serverItems(task.id),
  {
    name: "Move to a folder",
    icon: "folder",
    key: "m",
    run: () => show({ kind: "move-tasks", ids: [task.id] }),
  },
  ...orderItems(task.id),
  ...shell.taskItems(task),
  {
    name: "Delete task",
    icon: "trash",
    key: "#",
    danger: true,
    run: () => {
      closeTask();
      void deleteTasks([task.id]);
    },
  },
];

const copyItems = (task: TaskView): readonly MenuItem[] => [
  ...(task.tabs.length > 0
    ? ([
        {
          name: "Open all tabs",
          icon: "external-link",
          run: () => openAll(task.id, task.tabs, true),
        },
        { name: "Copy links", icon: "link", run: () => void copyTabs(task.tabs, "links") },
      ] as const)
    : []),
  { name: "Copy as Markdown", icon: "copy", key: "Ctrl C", run: () => void copyTasks([task.id]) },
];

/** What needs a server to be of use. */
const serverItems = (id: string): readonly MenuItem[] => {
  const server = shell.server();
  if (server === null) return [];
  const address = server + pathTo({ view: "open" }, id);
  return [
    {
      name: "Copy a link to this task",
      icon: "link",
      run: () => void copyAndSay(address, "Link copied"),
    },
    { name: "Export", icon: "download", href: exportPath("task", id) },
    { name: "History", icon: "rotate-ccw-clock", run: () => showHistory(id) },
  ];
};

/** Where lists are arranged by hand, also without a mouse or keys. */
const orderItems = (id: string): readonly MenuItem[] => {
  const list = shownTasks.value;
  const at = list.findIndex((task) => task.id === id);
  if (!canArrange() || at === -1) return [];
  return [
    ...(at > 0
      ? [
          {
            name: "Move up",
            icon: "arrow-up",
            key: "Alt ↑",
            run: () => void nudge(id, -1),
          } as const,
        ]
      : []),
    ...(at < list.length - 1
      ? [
          {
            name: "Move down",
            icon: "arrow-down",
            key: "Alt ↓",
            run: () => void nudge(id, 1),
          } as const,
        ]
      : []),
  ];
};
