import { isWhole } from "../state/client.ts";
import { receiveDropInInbox } from "../acts/receive.ts";
import { dropAt, dropTarget } from "../list/drag.ts";
import { inboxTask } from "../state/open.ts";
import { Notes } from "../task/notes.tsx";
import { Tabs } from "../task/tabs.tsx";
import { count } from "../words/names.ts";
import { Empty } from "./empty.tsx";
import { Head, Skeleton } from "./head.tsx";

/** What was filed without a task. Each link is moved to the task that it belongs to. */
export const InboxView = () => {
  const inbox = inboxTask.value;
  const size = inbox ? inbox.tabs.length + inbox.notes.length : 0;
  return (
    <>
      <Head title="Inbox" note={size > 0 ? count(size, "item") : undefined} />
      <div class={`scroll${dropAt.value === HERE ? " drop-here" : ""}`} {...dropOfText}>
        {!isWhole.value ? (
          <Skeleton />
        ) : inbox === null || size === 0 ? (
          <Empty view="inbox" />
        ) : (
          <div class="inbox">
            <Tabs task={inbox} triage />
            {inbox.notes.length > 0 && <Notes task={inbox} />}
          </div>
        )}
      </div>
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
