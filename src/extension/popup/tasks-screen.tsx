import { searchTasks } from "../../client/search.ts";
import { isInbox, taskName } from "../../client/views.ts";
import { type Choice, Chooser } from "../../app/parts/chooser.tsx";
import { Icon } from "../../app/parts/icon.tsx";
import { openTasks } from "../../app/state/open.ts";
import { count } from "../../app/words/count.ts";
import { screen } from "./screen.ts";

const MOST = 50;

/** The tasks whose tabs can be opened. */
export const TasksScreen = () => (
  <Chooser
    label="Open the tabs of"
    placeholder="Find a task"
    none="No open task has these words and tabs."
    choices={choices}
  />
);

const choices = (typed: string): readonly Choice[] =>
  searchTasks(openTasks.value, typed)
    .filter(({ tabs }) => tabs.length > 0)
    .slice(0, MOST)
    .map((task) => ({
      key: task.id,
      shown: (
        <>
          <Icon name={isInbox(task) ? "inbox" : "circle"} />
          <span class="name" dir="auto">
            {taskName(task)}
          </span>
          <span class="soft">{count(task.tabs.length, "tab")}</span>
        </>
      ),
      run: () => (screen.value = { kind: "task", id: task.id }),
    }));
