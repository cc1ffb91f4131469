import { Overlays } from "../ui/dialogs/overlays.tsx";
import { NoticeBar } from "../ui/parts/notice.tsx";
import { route } from "../ui/state/route.ts";
import { drawer, overlay } from "../ui/state/overlay.ts";
import { isNarrow } from "../ui/state/screen.ts";
import { Banner } from "../ui/views/banner.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { Drawer } from "../ui/sidebar/sidebar.tsx";
import { OpenTask } from "../ui/views/open-task.tsx";
import { CurrentView } from "../ui/views/view.tsx";

/** The whole app: the views at the side, the current one, and the open task beside it. */
export const App = () => {
  const { task } = route.value;
  return (
    <div class={`app${task === null ? "" : " with-task"}${drawer.value ? " with-drawer" : ""}`}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Drawer />
      <main id="main" tabIndex={-1}>
        {(task === null || !isNarrow.value) && <Banner />}
        <CurrentView />
      </main>
      {task !== null && <OpenTask id={task} />}
      <BottomBar />
      <Overlays />
      {overlay.value === null && <NoticeBar />}
    </div>
  );
};
