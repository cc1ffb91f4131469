import { keepEverything } from "../acts/agents.ts";
import { BulkBar } from "../list/bulk.tsx";
import { TaskList } from "../list/list.tsx";
import { Icon } from "../parts/marks.tsx";
import { proposedTasks, shownTasks } from "../state/lists.ts";
import { newFromAgents } from "../state/looked.ts";
import { Empty } from "./empty.tsx";
import { Head } from "./head.tsx";
import { Proposals } from "./proposals.tsx";

/** What agents made or changed, the newest first. Keeping it says that the person has looked. */
export const AgentsView = () => {
  const fresh = newFromAgents.value.length;
  return (
    <>
      <Head title="From agents" note={fresh > 0 ? `${fresh} new` : undefined}>
        {fresh > 0 && (
          <button type="button" class="button" onClick={keepEverything}>
            <Icon name="check" /> Keep all
          </button>
        )}
        <a class="button" href="/account/activity" aria-label="Activity and undo">
          <Icon name="rotate-ccw-clock" /> <span class="wide-only">Activity and undo</span>
        </a>
      </Head>
      <div class="scroll">
        <Proposals />
        {shownTasks.value.length > 0 ? (
          <TaskList tasks={shownTasks.value} label="From agents" />
        ) : (
          proposedTasks.value.length === 0 && <Empty view="agents" />
        )}
      </div>
      <BulkBar />
    </>
  );
};
