import { Overlays } from "../dialogs/overlays.tsx";
import { NoticeBar } from "../parts/notice.tsx";
import { route } from "../state/route.ts";
import { drawer, overlay } from "../state/overlay.ts";
import { isNarrow } from "../state/screen.ts";
import { Banner } from "./banner.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { Sidebar } from "../sidebar/sidebar.tsx";
import { OpenTask } from "./open-task.tsx";
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
