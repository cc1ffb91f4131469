import { useSignal } from "@preact/signals";
import type { ChildName } from "../../client/children.ts";
import { isInbox, type TabView, taskName } from "../../client/views.ts";
import { Icon } from "../../ui/parts/marks.tsx";
import { tasks } from "../../ui/state/client.ts";
import { count } from "../../ui/words/names.ts";
import { hostOf } from "../../ui/words/links.ts";
import { browser } from "../browser/api.ts";
import { Favicon } from "../../ui/parts/favicon.tsx";
import { statusIcon } from "../../ui/words/statuses.ts";
import { openTaskTabs } from "../parts/saving.ts";
import { openWindowOf } from "../parts/task-window.tsx";
import type { ReopenRequest } from "../reopen/job.ts";
import { setTakesOut } from "./acts.ts";
import { screen, takesOut } from "./here.ts";
import { searchTasks } from "../../client/search.ts";
import { type Choice, Chooser } from "../../ui/parts/chooser.tsx";
import { doneTasks, openTasks } from "../../ui/state/open.ts";

/** One task: its tabs, and ways to open some or all of them. */
export const TaskScreen = ({ id }: { readonly id: string }) => {
  const left = useSignal<readonly ChildName[]>([]);
  const task = tasks.value.get(id);
  if (!task) return <p class="gone">This task is no longer there. It may have been deleted.</p>;
  const isPicked = (tab: TabView): boolean => !left.value.includes(nameOf(tab));
  const picked = task.tabs.filter(isPicked);
  const open = (where: ReopenRequest["where"]): void =>
    void openTaskTabs({
      taskId: id,
      names: picked.map(nameOf),
      where,
      takeOut: takesOut.value,
    });
  const toggle = (tab: TabView): void => {
    const name = nameOf(tab);
    left.value = isPicked(tab) ? [...left.value, name] : left.value.filter((one) => one !== name);
  };
  return (
    <>
      <div class="task-head">
        <button
          type="button"
          class="icon-button"
          aria-label="Back"
          onClick={() => (screen.value = { kind: "tasks" })}
        >
          <Icon name="arrow-left" />
        </button>
        <h1 dir="auto">{taskName(task)}</h1>
      </div>
      <ul class="tabs-to-open">
        {task.tabs.map((tab) => (
          <li key={nameOf(tab)}>
            <label class="check">
              <input type="checkbox" checked={isPicked(tab)} onChange={() => toggle(tab)} />
              <Favicon url={tab.url} />
              <span class="name" dir="auto">
                {tab.title}
              </span>
              <span class="soft">{hostOf(tab.url)}</span>
            </label>
          </li>
        ))}
      </ul>
      <label class="check closes">
        <input
          type="checkbox"
          checked={takesOut.value}
          onChange={(event) => setTakesOut(event.currentTarget.checked)}
        />
        Remove these tabs from the task after opening
      </label>
      <div class="task-foot">
        <button
          type="button"
          class="button main"
          data-first
          disabled={picked.length === 0}
          onClick={() => open("here")}
        >
          Open {count(picked.length, "tab")}
        </button>
        {browser.windows && (
          <button
            type="button"
            class="button"
            disabled={picked.length === 0}
            onClick={() => open("window")}
          >
            In a new window
          </button>
        )}
        {browser.windows && (
          <button type="button" class="button" onClick={() => void openWindowOf(id)}>
            As the task’s window
          </button>
        )}
        {browser.tabGroups && (
          <button
            type="button"
            class="button"
            disabled={picked.length === 0}
            onClick={() => open("group")}
          >
            As a group
          </button>
        )}
      </div>
    </>
  );
};

const nameOf = ({ id, at }: TabView): ChildName => id ?? at;

const MOST = 50;

/** The tasks whose tabs can be opened. */
export const TasksScreen = () => (
  <Chooser
    label="Open the tabs of"
    placeholder="Find a task"
    none="No task with tabs matches."
    choices={choices}
  />
);

const choices = (typed: string): readonly Choice[] =>
  searchTasks(
    typed.trim() === "" ? openTasks.value : [...openTasks.value, ...doneTasks.value],
    typed,
  )
    .filter(({ tabs }) => tabs.length > 0)
    .slice(0, MOST)
    .map((task) => ({
      key: task.id,
      shown: (
        <>
          <Icon name={isInbox(task) ? "inbox" : statusIcon(task.status)} />
          <span class="name" dir="auto">
            {taskName(task)}
          </span>
          <span class="soft">{count(task.tabs.length, "tab")}</span>
        </>
      ),
      run: () => (screen.value = { kind: "task", id: task.id }),
    }));
