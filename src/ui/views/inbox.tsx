import { isWhole } from "../state/client.ts";
import { receiveDropInInbox } from "../acts/receive.ts";
import { BulkBar } from "../list/bulk.tsx";
import { dropAt, dropTarget } from "../list/drag.ts";
import { InlineAdd } from "../list/inline-add.tsx";
import { TaskList } from "../list/list.tsx";
import { unsortedTasks } from "../state/lists.ts";
import { inboxTask } from "../state/open.ts";
import { Notes } from "../task/notes.tsx";
import { Tabs } from "../task/tabs.tsx";
import { count } from "../words/names.ts";
import { Empty } from "./empty.tsx";
import { Head, Skeleton } from "./head.tsx";

/**
 * What nobody has put anywhere yet: links that were filed without a task, and tasks without a folder, a day and a column.
 * Each leaves it when it gets a place, or is done.
 */
export const InboxView = () => {
  const inbox = inboxTask.value;
  const loose = inbox ? inbox.tabs.length + inbox.notes.length : 0;
  const tasks = unsortedTasks.value;
  const size = loose + tasks.length;
  return (
    <>
      <Head title="Inbox" note={size > 0 ? count(size, "item") : undefined} />
      <div class={`scroll${dropAt.value === HERE ? " drop-here" : ""}`} {...dropOfText}>
        <InlineAdd />
        {!isWhole.value ? (
          <Skeleton />
        ) : size === 0 ? (
          <Empty view="inbox" />
        ) : (
          <>
            {inbox !== null && loose > 0 && (
              <div class="inbox">
                <Tabs task={inbox} triage />
                {inbox.notes.length > 0 && <Notes task={inbox} />}
              </div>
            )}
            {tasks.length > 0 && (
              <>
                {loose > 0 && (
                  <header class="section-head">
                    <h2>Tasks without a place</h2>
                  </header>
                )}
                <TaskList tasks={tasks} label="Inbox" />
              </>
            )}
          </>
        )}
      </div>
      <BulkBar />
    </>
  );
};

const HERE = "inbox";

const dropOfText = dropTarget(
  (what) => (what.kind === "outside" ? HERE : null),
  (what) => {
    if (what.kind === "outside") receiveDropInInbox(what);
  },
);
