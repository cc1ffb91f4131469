import { taskName, type TaskView } from "../../client/views.ts";
import { dismissProposed, keepProposed } from "../acts/agents.ts";
import { notesFact, tabsFact } from "../list/facts.tsx";
import { Icon } from "../parts/marks.tsx";
import { proposedTasks } from "../state/lists.ts";
import { route, taskPath } from "../state/route.ts";
import { count } from "../words/names.ts";

/** What keys propose that were made for review: it waits here until the person keeps or dismisses it, one or all of a key. */
export const Proposals = () => (
  <>
    {[...Map.groupBy(proposedTasks.value, ({ madeBy }) => madeBy.key)].map(([key, tasks]) => (
      <ProposalsOf key={key} by={key ?? "An agent"} tasks={tasks} />
    ))}
  </>
);

type ProposalsProps = { readonly by: string; readonly tasks: readonly TaskView[] };

const ProposalsOf = ({ by, tasks }: ProposalsProps) => (
  <section class="proposals" aria-label={`Proposed by ${by}`}>
    <header>
      <h2 dir="auto">
        {by} proposes {count(tasks.length, "task")}
      </h2>
      {tasks.length > 1 && (
        <Choices
          ids={tasks.map(({ id }) => id)}
          of={`all of ${by}`}
          words={["Keep all", "Dismiss all"]}
        />
      )}
    </header>
    <ul>
      {tasks.map((task) => (
        <li key={task.id} class={route.value.task === task.id ? "open" : ""}>
          <a class="title" href={taskPath(task.id)} data-row={task.id} dir="auto">
            {taskName(task)}
          </a>
          <span class="facts">
            {notesFact(task)}
            {tabsFact(task)}
          </span>
          <Choices ids={[task.id]} of={taskName(task)} words={["Keep", "Dismiss"]} />
        </li>
      ))}
    </ul>
  </section>
);

type ChoicesProps = {
  readonly ids: readonly string[];
  readonly of: string;
  readonly words: readonly [keep: string, dismiss: string];
};

const Choices = ({ ids, of, words: [keep, dismiss] }: ChoicesProps) => (
  <span class="choices">
    <button
      type="button"
      class="button small"
      aria-label={`${keep}: ${of}`}
      onClick={() => void keepProposed(ids)}
    >
      <Icon name="check" /> {keep}
    </button>
    <button
      type="button"
      class="button small"
      aria-label={`${dismiss}: ${of}`}
      onClick={() => void dismissProposed(ids)}
    >
      <Icon name="x" /> {dismiss}
    </button>
  </span>
);
