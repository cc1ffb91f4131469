import { useSignal } from "@preact/signals";
import type { TaskFields } from "../../client/edits.ts";
import type { TaskView } from "../../client/views.ts";
import { isTrashBucket } from "../../domain/tasks/bucket.ts";
import { addColumn } from "../acts/folders.ts";
import { arrange } from "../acts/order.ts";
import { addTask } from "../acts/tasks.ts";
import { dropAt, dropTarget } from "../list/drag.ts";
import { Icon } from "../parts/icon.tsx";
import { buckets } from "../state/client.ts";
import { inboxTask, openTasks } from "../state/lists.ts";
import { statusName, STATUSES } from "../words/statuses.ts";
import { BoardCard } from "./card.tsx";
import { Head } from "./head.tsx";

type Column = {
  readonly key: string;
  readonly name: string;
  readonly fields: TaskFields;
  readonly has: (task: TaskView) => boolean;
};

/** The open tasks in columns: the buckets, or the statuses if there is no bucket. */
export const BoardView = () => {
  const columns = columnsNow();
  const cards = openTasks.value.filter(({ id }) => id !== inboxTask.value?.id);
  return (
    <>
      <Head title="Board">
        <NewColumn />
      </Head>
      <div class="board scroll">
        {columns
          .map((column) => ({ column, tasks: cards.filter(column.has) }))
          .filter(({ column, tasks }) => column.key !== "none" || tasks.length > 0)
          .map(({ column, tasks }) => (
            <BoardColumn key={column.key} column={column} tasks={tasks} />
          ))}
      </div>
    </>
  );
};

const columnsNow = (): readonly Column[] => {
  const own = buckets.value.filter(({ id, payload }) => !isTrashBucket(id, payload));
  if (own.length > 0) {
    const known = new Set(own.map(({ id }) => id));
    return [
      {
        key: "none",
        name: "No column",
        fields: { bucketId: null },
        has: ({ bucketId }) => bucketId === null || !known.has(bucketId),
      },
      ...own.map(({ id, name }) => ({
        key: id,
        name,
        fields: { bucketId: id },
        has: ({ bucketId }: TaskView) => bucketId === id,
      })),
    ];
  }
  const used = openTasks.value.map(({ status }) => status);
  const open = STATUSES.filter((one) => one !== "done" && one !== "cancelled");
  return [...new Set([...open, ...used])].map((status) => ({
    key: status,
    name: statusName(status),
    fields: { status },
    has: (task) => task.status === status,
  }));
};

const BoardColumn = ({
  column: { key, name, fields },
  tasks,
}: {
  readonly column: Column;
  readonly tasks: readonly TaskView[];
}) => {
  const adding = useSignal(false);
  const here = `column ${key}`;
  return (
    <section
      class={`column${dropAt.value === here ? " drop-here" : ""}`}
      aria-label={name}
      {...dropTarget(
        (what) => (what.kind === "tasks" ? here : null),
        (what) => {
          if (what.kind === "tasks")
            void arrange(tasks, what.ids, tasks.length, fields, "Task moved");
        },
      )}
    >
      <h2>
        {name} <span class="number">{tasks.length}</span>
        <span class="spring" />
        <button
          type="button"
          class="icon-button"
          aria-label={`Add a task to ${name}`}
          onClick={() => (adding.value = true)}
        >
          <Icon name="plus" />
        </button>
      </h2>
      {adding.value && (
        <OneLine
          label={`New task in ${name}`}
          placeholder="Title, then Enter"
          onEnd={() => (adding.value = false)}
          onText={(text) => void addTask(text, fields)}
        />
      )}
      <ul>
        {tasks.map((task, index) => (
          <BoardCard key={task.id} task={task} index={index} list={tasks} fields={fields} />
        ))}
      </ul>
      {tasks.length === 0 && !adding.value && <p class="side-hint">Drop a task here</p>}
    </section>
  );
};

const NewColumn = () => {
  const adding = useSignal(false);
  return adding.value ? (
    <span class="new-column">
      <OneLine
        label="Name of the new column"
        placeholder="Name, then Enter"
        onEnd={() => (adding.value = false)}
        onText={(text) => void addColumn(text)}
      />
    </span>
  ) : (
    <button type="button" class="button" onClick={() => (adding.value = true)}>
      <Icon name="plus" /> Add a column
    </button>
  );
};

type OneLineProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly onText: (text: string) => void;
  readonly onEnd: () => void;
};

const OneLine = ({ label, placeholder, onText, onEnd }: OneLineProps) => (
  <input
    class="field"
    aria-label={label}
    placeholder={placeholder}
    autocomplete="off"
    ref={(input) => input?.focus()}
    onBlur={onEnd}
    onKeyDown={(event) => {
      if (event.key === "Escape") onEnd();
      if (event.key !== "Enter") return;
      const text = event.currentTarget.value.trim();
      if (text !== "") onText(text);
      event.currentTarget.value = "";
      onEnd();
    }}
  />
);
