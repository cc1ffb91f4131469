import { Skeleton } from "./head.tsx";
import { deletedTasks, isWhole, tasks } from "../state/client.ts";
import { closeTask } from "../state/route.ts";
import { isNarrow } from "../state/screen.ts";
import { TaskPanel } from "../task/panel.tsx";
import { Banner } from "./banner.tsx";

/** The task that the address names, as far as this browser has it. */
export const OpenTask = ({ id }: { readonly id: string }) => {
  const task = tasks.value.get(id) ?? deletedTasks.value.get(id);
  if (!isWhole.value)
    return (
      <aside class="panel" aria-label="Task">
        <Skeleton />
      </aside>
    );
  if (task)
    return (
      <TaskPanel key={id} task={task}>
        {isNarrow.value && <Banner />}
      </TaskPanel>
    );
  return (
    <aside class="panel" aria-label="Task">
      <p class="gone">
        This task is not in this browser. It may have been deleted, or it has not arrived yet.
      </p>
      <button type="button" class="button" onClick={closeTask}>
        Close
      </button>
    </aside>
  );
};
