import type { ComponentChildren } from "preact";
import { receiveTasks } from "../acts/receive.ts";
import { BulkBar } from "../list/bulk.tsx";
import { dropAt, dropTarget } from "../list/drag.ts";
import { InlineAdd } from "../list/inline-add.tsx";
import { TaskList } from "../list/list.tsx";
import { state } from "../state/client.ts";
import { shownTasks } from "../state/lists.ts";
import { route } from "../state/route.ts";
import { count } from "../words/names.ts";
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
        {view === "trash" && (
          <a class="button" href="/account/deleted">
            All deleted items
          </a>
        )}
      </Head>
      <div
        class={`scroll${dropAt.value === HERE ? " drop-here" : ""}`}
        {...(adds ? dropOfText : {})}
      >
        {adds && <InlineAdd />}
        {list.length > 0 ? (
          <TaskList tasks={list} label={label} />
        ) : isFirstLoad() ? (
          <Skeleton />
        ) : (
          <Empty view={view} />
        )}
      </div>
      <BulkBar />
    </>
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

/** Nothing is here because nothing has arrived yet. */
const isFirstLoad = (): boolean => {
  const { tasks, syncedAt, sync } = state();
  return tasks.size === 0 && syncedAt === null && sync.kind === "syncing";
};
