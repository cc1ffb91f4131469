import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../parts/marks.tsx";
import { show } from "../state/overlay.ts";
import { pathTo, type View } from "../state/route.ts";
import { openTasks } from "../state/open.ts";

type Lesson = {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly more?: ComponentChildren;
};

/** What an empty view is for, and how something gets into it. */
export const Empty = ({ view }: { readonly view: View }) => {
  const { icon, title, text, more } = lessonOf(view);
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {more && <p class="empty-actions">{more}</p>}
    </div>
  );
};

const newTask = (
  <button type="button" class="button main" onClick={() => show({ kind: "new-task" })}>
    <Icon name="plus" /> New task <kbd>n</kbd>
  </button>
);
const importing = (
  <a class="button" href="/account/import">
    <Icon name="upload" /> Import
  </a>
);
const agentKey = (
  <a class="button" href="/account/keys/new">
    <Icon name="key-round" /> Give an agent a key
  </a>
);

const lessonOf = (view: View): Lesson => {
  switch (view) {
    case "today":
      return openTasks.value.length === 0
        ? {
            icon: "sun",
            title: "Add your first task",
            text: "Type what you want to do, or paste links: they become the task's tabs. Or bring your bookmarks, saved tabs and to-dos from another tool.",
            more: (
              <>
                {newTask} {importing} {agentKey}{" "}
                <a class="button" href="/account/devices">
                  <Icon name="globe" /> Connect a browser
                </a>
              </>
            ),
          }
        : {
            icon: "sun",
            title: "Nothing is due today",
            text: "Tasks that are due today or overdue appear here.",
            more: <a href={pathTo({ view: "open" })}>See all open tasks</a>,
          };
    case "inbox":
      return {
        icon: "inbox",
        title: "Your inbox is empty",
        text: "New tasks wait here until they get a folder, a day or a column of the board. So do links that you share from your phone or save from your browser, and what agents file when they do not know the task.",
        more: (
          <>
            {newTask}{" "}
            <a class="button" href="/account/devices">
              <Icon name="globe" /> Connect a browser
            </a>
          </>
        ),
      };
    case "agents":
      return {
        icon: "bot",
        title: "No agent has done anything yet",
        text: "With an API key, a script or an AI agent can read, add and change tasks. It can never delete. Everything it does appears here.",
        more: agentKey,
      };
    case "done":
      return {
        icon: "circle-check",
        title: "Nothing finished yet",
        text: "Tasks that you finish appear here, the latest first. Press the circle in front of a task, or e, to finish it.",
      };
    case "trash":
      return {
        icon: "trash",
        title: "The trash is empty",
        text: "Deleted tasks appear here, and you can restore them.",
      };
    case "folder":
      return {
        icon: "folder",
        title: "No open tasks in this folder",
        text: "Add one, or drag tasks here from another list. Links and text from other windows become tasks too.",
      };
    default:
      return {
        icon: "list-checks",
        title: "No open tasks",
        text: "Type a task above and press Enter. Pasted links become its tabs.",
        more: (
          <>
            {newTask} {importing}
          </>
        ),
      };
  }
};
