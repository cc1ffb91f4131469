import { signal, useSignal } from "@preact/signals";
import { MAX_NAME } from "../../domain/tasks/folder.ts";
import { deleteColumn, renameColumn } from "../acts/folders.ts";
import { arrangeColumn, nudgeColumn, putInto } from "../acts/order.ts";
import { addTasks } from "../acts/tasks.ts";
import { receiveTasks } from "../acts/receive.ts";
import { draggable, dropAt, dropTarget, inRightHalf } from "../list/drag.ts";
import { Editable } from "../parts/editable.tsx";
import { Icon } from "../parts/marks.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { OneLine } from "../parts/one-line.tsx";
import { type Column, DONE, ownColumns } from "../state/board.ts";
import { doneTasks } from "../state/open.ts";
import { pathTo } from "../state/route.ts";
import { typedIn } from "../state/typed.ts";
import { BoardCard } from "./card.tsx";

/** The column to which a task is being added. The field for it moves to another column with what is typed in it. */
const addingTo = signal<string | null>(null);

/** One column of the board. A bucket's column is also renamed, moved and deleted here. */
export const BoardColumn = ({ column }: { readonly column: Column }) => {
  const { key, name, fields, tasks, isOwn } = column;
  const isAdding = addingTo.value === key;
  const place = `column ${key}`;
  const renaming = useSignal(typedIn(place).peek() !== "");
  return (
    <section
      class={`column k-${isOwn ? "own" : key}${dropClass(key)}`}
      aria-label={name}
      {...dropOf(column)}
    >
      <header {...(isOwn ? draggable(() => ({ kind: "column", id: key }), name) : {})}>
        {renaming.value ? (
          <Editable
            class="field"
            place={place}
            label="Name of the column"
            value={ownColumns.value.find(({ id }) => id === key)?.name ?? ""}
            placeholder="Unnamed column"
            max={MAX_NAME}
            isName
            onEnd={() => (renaming.value = false)}
            save={(typed) => renameColumn(key, typed)}
          />
        ) : (
          <>
            <h2>
              <span class="name">{name}</span>{" "}
              <span class="number">{key === DONE ? doneTasks.value.length : tasks.length}</span>
            </h2>
            <span class="spring" />
          </>
        )}
        {key !== DONE && (
          <button
            type="button"
            class="icon-button"
            aria-label={`Add a task to ${name}`}
            onClick={() => (addingTo.value = key)}
          >
            <Icon name="plus" />
          </button>
        )}
        {isOwn && (
          <Menu
            label={`More for ${name}`}
            class="right"
            button={<Icon name="ellipsis" />}
            items={itemsFor(key, () => (renaming.value = true))}
          />
        )}
      </header>
      {isAdding && (
        <OneLine
          label={`New task in ${name}`}
          place="New task in a column"
          placeholder="Title, then Enter"
          onEnd={() => (addingTo.value = null)}
          onText={async (text) => (await addTasks(text, fields)) !== null}
        />
      )}
      <ul>
        {tasks.map((task, index) => (
          <BoardCard key={task.id} task={task} index={index} column={column} />
        ))}
      </ul>
      {key === DONE && doneTasks.value.length > tasks.length && (
        <a class="side-hint" href={pathTo({ view: "done" })}>
          See all done tasks
        </a>
      )}
      {tasks.length === 0 && !isAdding && <p class="side-hint">Drop a task here</p>}
    </section>
  );
};

const dropClass = (key: string): string => {
  if (dropAt.value === `column ${key}`) return " drop-here";
  if (dropAt.value === `before ${key}`) return " drop-before";
  return dropAt.value === `after ${key}` ? " drop-after" : "";
};

/** Cards and text go to the end of the column, other columns to its left or right. */
const dropOf = (column: Column) => {
  const { key, tasks, fields, isOwn } = column;
  return dropTarget(
    (what, event) => {
      if (what.kind === "column")
        return isOwn && what.id !== key
          ? `${inRightHalf(event) ? "after" : "before"} ${key}`
          : null;
      return what.kind === "tasks" || what.kind === "outside" ? `column ${key}` : null;
    },
    (what, event) => {
      if (what.kind === "tasks") void putInto(column, what.ids, tasks.length);
      if (what.kind === "outside") void receiveTasks(what.text, fields);
      if (what.kind === "column")
        void arrangeColumn(what.id, indexOf(key) + (inRightHalf(event) ? 1 : 0));
    },
  );
};

const indexOf = (key: string): number => ownColumns.peek().findIndex(({ id }) => id === key);

const itemsFor = (id: string, rename: () => void): readonly MenuItem[] => [
  { name: "Rename", icon: "pencil", run: rename },
  ...(indexOf(id) > 0
    ? [{ name: "Move left", icon: "arrow-left", run: () => void nudgeColumn(id, -1) } as const]
    : []),
  ...(indexOf(id) < ownColumns.value.length - 1
    ? [{ name: "Move right", icon: "arrow-right", run: () => void nudgeColumn(id, 1) } as const]
    : []),
  { name: "Delete column", icon: "trash", danger: true, run: () => void deleteColumn(id) },
];
