import type { TaskView } from "../../client/views.ts";
import { copyText } from "../acts/copy.ts";
import { copyTabs, openAll } from "../acts/tabs.ts";
import { change, deleteTasks } from "../acts/tasks.ts";
import { ColourMenu } from "../parts/colour-menu.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { say } from "../state/notice.ts";
import { show } from "../state/overlay.ts";
import { closeTask, pathTo } from "../state/route.ts";

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

const itemsFor = (task: TaskView): readonly MenuItem[] => [
  ...(task.tabs.length > 0
    ? ([
        { name: "Open all tabs", icon: "external-link", run: () => openAll(task.tabs) },
        { name: "Copy as Markdown", icon: "copy", run: () => void copyTabs(task.tabs, "markdown") },
        { name: "Copy links", icon: "link", run: () => void copyTabs(task.tabs, "links") },
      ] as const)
    : []),
  { name: "Copy a link to this task", icon: "link", run: () => void copyAddress(task.id) },
  {
    name: "Move to a folder",
    icon: "folder",
    key: "m",
    run: () => show({ kind: "move-tasks", ids: [task.id] }),
  },
  {
    name: "History",
    icon: "rotate-ccw-clock",
    href: `/account/tasks/${encodeURIComponent(task.id)}/history`,
  },
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

const copyAddress = async (id: string): Promise<void> => {
  const done = await copyText(location.origin + pathTo({ view: "open" }, id));
  say(
    done
      ? { text: "Link copied", kind: "done" }
      : { text: "Your browser did not allow copying.", kind: "problem" },
  );
};
