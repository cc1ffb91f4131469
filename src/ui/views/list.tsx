import type { ComponentChildren } from "preact";
import { receiveTasks } from "../acts/receive.ts";
import { BulkBar } from "../list/bulk.tsx";
import { dropAt, dropTarget } from "../list/drag.ts";
import { InlineAdd } from "../list/inline-add.tsx";
import { TaskList } from "../list/list.tsx";
import { state } from "../state/client.ts";
import { lateTasks, shownTasks } from "../state/lists.ts";
import { route, type View } from "../state/route.ts";
import { show } from "../state/overlay.ts";
import { shell, today } from "../state/screen.ts";
import type { TaskView } from "../../client/views.ts";
import { setDue } from "../acts/tasks.ts";
import { dayHeading } from "../words/dates.ts";
import { count } from "../words/names.ts";
import { FirstSteps } from "./first-steps.tsx";
import { showsFirstSteps } from "../state/begun.ts";
import { Icon } from "../parts/marks.tsx";
import { Empty } from "./empty.tsx";
import { Head, Skeleton } from "./head.tsx";

type ListViewProps = {
  readonly title: ComponentChildren;
  /** What the list is called, where the title is more than text. */
  readonly label?: string;
  readonly children?: ComponentChildren;
};

/** A view that is one list of tasks. */
export const ListView = ({ title, label = String(title), children }: ListViewProps) => {
  const { view, query } = route.value;
  const list = shownTasks.value;
  const tag = query.get("tag");
  const adds = view === "today" || view === "open" || view === "folder";
  return (
    <>
      <Head
        title={tag === null ? title : `Tag: ${tag}`}
        note={list.length > 0 ? count(list.length, "task") : undefined}
      >
        {children}
        {view === "trash" && list.length > 0 && (
          <button
            type="button"
            class="button danger"
            onClick={() => show({ kind: "for-good", ids: list.map(({ id }) => id) })}
          >
            <Icon name="trash" /> Empty the trash
          </button>
        )}
      </Head>
      <div
        class={`scroll${dropAt.value === HERE ? " drop-here" : ""}`}
        {...(adds ? dropOfText : {})}
      >
        {view === "today" && <Overdue />}
        {adds && <InlineAdd />}
        {list.length > 0 ? (
          <Tasks tasks={list} label={label} view={view} />
        ) : isFirstLoad() ? (
          <Skeleton />
        ) : view === "today" && showsFirstSteps.value ? null : (
          <Empty view={view} />
        )}
        {view === "today" && <FirstSteps />}
        {view === "trash" && shell.server() !== null && (
          <p class="list-foot">
            The server keeps everything that was deleted for 90 days, also folders, columns and what
            was deleted for good. <a href="/account/deleted">All deleted items</a>
          </p>
        )}
      </div>
      <BulkBar />
    </>
  );
};

type TasksProps = {
  readonly tasks: readonly TaskView[];
  readonly label: string;
  readonly view: View;
};

/** The tasks of a view. In Today, those that are overdue stand above the line for a new one. */
const Tasks = ({ tasks, label, view }: TasksProps) => {
  if (view === "done") return <TaskList tasks={tasks} label={label} headingOf={dayDone} />;
  const late = view === "today" ? lateTasks.value.length : 0;
  return <TaskList tasks={late === 0 ? tasks : tasks.slice(late)} label={label} from={late} />;
};

const dayDone = ({ updatedAt }: TaskView): string => dayHeading(updatedAt, today.value);

/** The tasks that should have been done before today, and the way to take them all along. */
const Overdue = () => {
  const late = lateTasks.value;
  if (late.length === 0) return null;
  const ids = late.map(({ id }) => id);
  return (
    <section>
      <header class="section-head">
        <h2>Overdue</h2>
        <button type="button" class="link" onClick={() => void setDue(ids, today.value)}>
          Move all to today
        </button>
      </header>
      <TaskList tasks={late} label="Overdue" />
      <header class="section-head">
        <h2>Today</h2>
      </header>
    </section>
  );
};

const HERE = "list";

/** Links and text from elsewhere become tasks of the list. */
const dropOfText = dropTarget(
  (what) => (what.kind === "outside" ? HERE : null),
  (what) => {
    if (what.kind === "outside") void receiveTasks(what.text);
  },
);

/** Nothing is here because nothing has arrived yet. The web app has a server to wait for from its start. */
const isFirstLoad = (): boolean => {
  const { tasks, syncedAt, sync } = state();
  const isWaiting = sync.kind === "syncing" || (sync.kind === "idle" && shell.isWebApp);
  return tasks.size === 0 && syncedAt === null && isWaiting;
};
