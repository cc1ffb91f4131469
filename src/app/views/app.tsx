import { Overlays } from "../dialogs/overlays.tsx";
import { NoticeBar } from "../parts/notice.tsx";
import { deletedTasks, isWhole, tasks } from "../state/client.ts";
import { closeTask, route } from "../state/route.ts";
import { drawer } from "../state/overlay.ts";
import { TaskPanel } from "../task/panel.tsx";
import { Banner } from "./banner.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { Skeleton } from "./skeleton.tsx";
import { CurrentView } from "./view.tsx";

/** The whole app: the views at the side, the current one, and the open task beside it. */
export const App = () => {
  const { task } = route.value;
  return (
    <div class={`app${task === null ? "" : " with-task"}${drawer.value ? " with-drawer" : ""}`}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Sidebar />
      <button
        type="button"
        class="scrim"
        aria-label="Close the menu"
        tabIndex={-1}
        onClick={() => (drawer.value = false)}
      />
      <main id="main" tabIndex={-1}>
        <Banner />
        <CurrentView />
      </main>
      {task !== null && <OpenTask id={task} />}
      <BottomBar />
      <Overlays />
      <NoticeBar />
    </div>
  );
};

const OpenTask = ({ id }: { readonly id: string }) => {
  const task = tasks.value.get(id) ?? deletedTasks.value.get(id);
  if (!isWhole.value)
    return (
      <aside class="panel" aria-label="Task">
        <Skeleton />
      </aside>
    );
  if (task) return <TaskPanel key={id} task={task} />;
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
